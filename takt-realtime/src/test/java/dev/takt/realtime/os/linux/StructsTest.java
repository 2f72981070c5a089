package dev.takt.realtime.os.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Sizes and places of fields as in the kernel's headers. */
class StructsTest {
  @Test
  void shouldLayOutSchedAttrAsTheKernelsFirstVersion() {
    assertThat(Structs.SCHED_ATTR.byteSize()).isEqualTo(48);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_policy")).isEqualTo(4);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_flags")).isEqualTo(8);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_nice")).isEqualTo(16);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_priority")).isEqualTo(20);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_runtime")).isEqualTo(24);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_deadline")).isEqualTo(32);
    assertThat(Structs.offset(Structs.SCHED_ATTR, "sched_period")).isEqualTo(40);
  }

  @Test
  void shouldLayOutTheOthersAsTheKernel() {
    assertThat(Structs.TIMESPEC.byteSize()).isEqualTo(16);
    assertThat(Structs.RLIMIT.byteSize()).isEqualTo(16);
    assertThat(Structs.POLLFD.byteSize()).isEqualTo(8);
    assertThat(Structs.offset(Structs.POLLFD, "revents")).isEqualTo(6);
    assertThat(Structs.CPU_SET_BYTES).isEqualTo(128);
  }

  @Test
  void shouldHaveRoomForEachInScratch() {
    assertThat(CallBuffer.SIZE_BYTES).isGreaterThanOrEqualTo(Structs.CPU_SET_BYTES);
  }

  @Test
  void shouldSplitATimeIntoSecondsAndNanoseconds() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(32, 8);

      Structs.setTime(memory, 16, 3_000_000_007L);

      assertThat(memory.get(JAVA_LONG, 16)).isEqualTo(3);
      assertThat(memory.get(JAVA_LONG, 24)).isEqualTo(7);
      assertThat(Structs.getTime(memory, 16)).isEqualTo(3_000_000_007L);
    }
  }
}
