package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.os.ThreadScheduling;
import org.junit.jupiter.api.Test;

class CpuSchedulerTest {
  private static final TaskModel TASK = TaskModel.of("task", 2_000_000, 10_000_000, 5_000_000);

  @Test
  void shouldGiveThePriorityOfThePlaceAndTheLowestBeyond() {
    CpuScheduler scheduler = CpuScheduler.fixedPriority();
    assertThat(scheduler.scheduling(TASK, 0)).isEqualTo(ThreadScheduling.fifo(80));
    assertThat(scheduler.scheduling(TASK, 77)).isEqualTo(ThreadScheduling.fifo(3));
    assertThat(scheduler.scheduling(TASK, 78)).isEqualTo(ThreadScheduling.fifo(2));
    assertThat(scheduler.scheduling(TASK, 1_000))
        .as("the lowest is for those that are to end")
        .isEqualTo(ThreadScheduling.fifo(2));
  }

  @Test
  void shouldReserveTheCostInEachPeriod() {
    assertThat(CpuScheduler.deadline().scheduling(TASK, 3))
        .isEqualTo(ThreadScheduling.deadline(2_000_000, 5_000_000, 10_000_000));
  }

  @Test
  void shouldReserveNoLessThanTheKernelTakesAndNoDeadlineBeyondThePeriod() {
    CpuScheduler scheduler = CpuScheduler.deadline();
    assertThat(scheduler.scheduling(TaskModel.of("small", 1, 10), 0))
        .isEqualTo(ThreadScheduling.deadline(1_024, 1_024, 1_024));
    assertThat(scheduler.scheduling(TaskModel.of("late", 9_000, 10_000, 50_000), 0))
        .isEqualTo(ThreadScheduling.deadline(9_000, 10_000, 10_000));
  }

  @Test
  void shouldAskForNothingInDevelopment() {
    assertThat(CpuScheduler.none().scheduling(TASK, 0)).isEqualTo(ThreadScheduling.OTHER);
    assertThat(CpuScheduler.none()).hasToString("none");
  }

  @Test
  void shouldRefuseSettingsOutOfRangeWithNameValueAndLimit() {
    ManagerSettings settings = ManagerSettings.defaults();
    assertThatThrownBy(() -> settings.withTrialReleases(99))
        .hasMessageContaining("trialReleases=99 (expected: 100");
    assertThatThrownBy(() -> settings.withLookPeriodNs(1))
        .hasMessageContaining("lookPeriodNs=1 (expected: 100000");
    assertThatThrownBy(() -> settings.withProbability(1))
        .hasMessageContaining("probability=1.0 (expected: 1e-12");
    assertThatThrownBy(() -> settings.withFactors(0.5, 0.7)).hasMessageContaining("0.5");
    assertThatThrownBy(() -> settings.withFactors(1, 1.5)).hasMessageContaining("1.5");
    assertThat(settings.withLookPeriodNs(200_000).lookPeriodNs()).isEqualTo(200_000);
    assertThat(settings.lookPeriodNs()).as("a copy was changed").isEqualTo(800_000);
  }
}
