package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.Periodic;
import dev.takt.testsupport.NeedsNoRights;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

@NeedsNoRights
class SensitivityTest {
  private static final Predicate<List<TaskModel>> FITS =
      tasks ->
          ResponseTimes.of(tasks.stream().sorted(ResponseTimes.RATE_MONOTONIC).toList())
              .isSchedulable();

  private static final List<TaskModel> TWO =
      List.of(TaskModel.of("fast", 1, 4), TaskModel.of("slow", 2, 8));

  @Test
  void shouldFindHowMuchLongerATaskMayRun() {
    assertThat(Sensitivity.maxCostNs(TWO, 1, FITS)).hasValue(6);
    assertThat(Sensitivity.maxCostNs(TWO, 0, FITS)).hasValue(3);
  }

  @Test
  void shouldFindTheShortestPeriodThatFits() {
    List<TaskModel> tasks = List.of(TaskModel.of("fast", 2, 4), TaskModel.of("more", 3, 4));
    assertThat(FITS.test(tasks)).isFalse();
    assertThat(Sensitivity.minPeriodNs(tasks, 1, FITS)).hasValue(7);
    assertThat(Sensitivity.minPeriodNs(List.of(TaskModel.of("full", 4, 4), tasks.get(1)), 1, FITS))
        .isEmpty();
  }

  @Test
  void shouldPlaceTasksOnProcessorsWhereFirstFitDoesNotFindThem() {
    // 6 4 3 3 2 2 of 10: first fit of those that are sorted needs no more than two processors, but
    // 5 4 4 3 2 2 goes only as 5 3 2 and 4 4 2.
    List<TaskModel> tasks =
        List.of(5, 4, 4, 3, 2, 2).stream().map(cost -> TaskModel.of("c" + cost, cost, 10)).toList();
    Optional<Partition> partition = Partition.of(tasks, 2, FITS);
    assertThat(partition).isPresent();
    assertThat(partition.get().processors())
        .allSatisfy(each -> assertThat(FITS.test(each)).isTrue())
        .satisfies(all -> assertThat(all.stream().mapToInt(List::size).sum()).isEqualTo(6));
    assertThat(Partition.of(tasks, 1, FITS)).isEmpty();
  }

  @Test
  void shouldTakeReleaseParametersForAModel() {
    TaskModel task =
        TaskModel.of("task", Periodic.ofNs(1_000).withDeadlineNs(800).withBudgetNs(100));
    assertThat(task).isEqualTo(TaskModel.of("task", 100, 1_000, 800));
    assertThatThrownBy(() -> TaskModel.of("spins", Continuous.UNLIMITED))
        .hasMessageContaining("expected: Periodic or Sporadic");
    assertThatThrownBy(() -> TaskModel.of("free", Periodic.ofNs(1_000)))
        .hasMessage("task free: costNs=0 (expected: 1 to 1125899906842624)");
  }

  @Test
  void shouldNotHangWhenThePeriodsMakeAVeryLongBusyPeriod() {
    List<TaskModel> tasks =
        List.of(
            TaskModel.of("a", 333_333_333_331L, 1_000_000_000_039L, TaskModel.MAX_NS),
            TaskModel.of("b", 333_333_333_331L, 999_999_999_989L, TaskModel.MAX_NS),
            TaskModel.of("c", 1, 3, TaskModel.MAX_NS));
    assertThat(ResponseTimes.of(tasks).responseNs(2)).isPositive();
    assertThat(ProcessorDemand.isSchedulable(tasks)).isIn(true, false);
  }
}
