package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.ResourceLimit;
import dev.takt.realtime.os.Scheduling;
import org.junit.jupiter.api.Test;

class LinuxSchedulingTest {
  @Test
  void shouldTryTheHighestPriorityThatALimitAllows() {
    assertThat(LinuxScheduling.highestPermitted(Scheduling.fifo(50), 20))
        .isEqualTo(Scheduling.fifo(20));
    assertThat(LinuxScheduling.highestPermitted(Scheduling.rr(50), 49))
        .isEqualTo(Scheduling.rr(49));
    assertThat(LinuxScheduling.highestPermitted(Scheduling.fifo(50), 0)).isNull();
    assertThat(LinuxScheduling.highestPermitted(Scheduling.fifo(50), 50)).isNull();
    assertThat(LinuxScheduling.highestPermitted(Scheduling.fifo(50), ResourceLimit.UNLIMITED))
        .isNull();
    assertThat(LinuxScheduling.highestPermitted(Scheduling.deadline(2_000, 3_000, 4_000), 20))
        .isNull();
  }
}
