package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.ResourceLimit;
import dev.takt.realtime.os.ThreadScheduling;
import org.junit.jupiter.api.Test;

class LinuxSchedulingTest {
  @Test
  void shouldTryTheHighestPriorityThatALimitAllows() {
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.fifo(50), 20))
        .isEqualTo(ThreadScheduling.fifo(20));
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.rr(50), 49))
        .isEqualTo(ThreadScheduling.rr(49));
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.fifo(50), 0)).isNull();
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.fifo(50), 50)).isNull();
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.fifo(50), ResourceLimit.UNLIMITED))
        .isNull();
    assertThat(LinuxScheduling.highestPermitted(ThreadScheduling.deadline(2_000, 3_000, 4_000), 20))
        .isNull();
  }
}
