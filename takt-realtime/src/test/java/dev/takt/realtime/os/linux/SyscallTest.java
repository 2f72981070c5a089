package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.linux.Syscall.Architecture;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SyscallTest {
  @Test
  void shouldHaveNumbersOfTheirOwnOnEachArchitecture() {
    for (Architecture each : new Architecture[] {Architecture.X86_64, Architecture.AARCH64}) {
      assertThat(Arrays.stream(Syscall.values()).map(call -> call.number(each)))
          .doesNotHaveDuplicates()
          .allSatisfy(number -> assertThat(number).isNotNegative());
    }
  }

  @Test
  void shouldHaveTheNumbersOfTheKernelsTables() {
    assertThat(Syscall.FUTEX.number(Architecture.X86_64)).isEqualTo(202);
    assertThat(Syscall.FUTEX.number(Architecture.AARCH64)).isEqualTo(98);
    assertThat(Syscall.SCHED_SETATTR.number(Architecture.X86_64)).isEqualTo(314);
    assertThat(Syscall.SCHED_SETATTR.number(Architecture.AARCH64)).isEqualTo(274);
    assertThat(Syscall.GETTID.number(Architecture.OTHER)).isEqualTo(-1);
  }

  @Test
  void shouldKnowArchitecturesByTheNamesOfJvms() {
    assertThat(Architecture.of("amd64")).isEqualTo(Architecture.X86_64);
    assertThat(Architecture.of("x86_64")).isEqualTo(Architecture.X86_64);
    assertThat(Architecture.of("aarch64")).isEqualTo(Architecture.AARCH64);
    assertThat(Architecture.of("riscv64")).isEqualTo(Architecture.OTHER);
  }
}
