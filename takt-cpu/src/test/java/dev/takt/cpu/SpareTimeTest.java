package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.analysis.TaskModel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much longer admitted tasks may run than they were admitted with; nothing runs. */
class SpareTimeTest {
  private static final long MS = 1_000_000;

  private ProcessorsApart places;

  private ManagedTasks tasks(CpuScheduler scheduler) {
    ManagerSettings settings =
        OneProcessor.of(ManagerSettings.defaults()).withScheduler(scheduler).withEvents(_ -> {});
    places = new ProcessorsApart(settings);
    return new ManagedTasks(settings, places, () -> {});
  }

  @AfterEach
  void close() {
    places.close();
  }

  private static ManagedTask admit(ManagedTasks tasks, String name, long periodMs, long budgetMs) {
    return tasks.locked(
        () -> {
          Profile profile = Profile.of(name, periodMs * MS).withBudgetNs(budgetMs * MS);
          ManagedTask task = tasks.decide(profile, null, "");
          tasks.schedule();
          return task;
        });
  }

  @Test
  void shouldBeWhatTheTasksBelowCanBeDelayed() {
    ManagedTasks tasks = tasks(CpuScheduler.fixedPriority());
    ManagedTask slow = admit(tasks, "slow", 100, 20);
    ManagedTask fast = admit(tasks, "fast", 10, 1);
    ManagedTask middle = admit(tasks, "middle", 20, 5);
    assertThat(fast.spareNs).as("not yet known").isZero();

    tasks.refreshSpare();
    assertThat(fast.spareNs).as("20 - 5 - 2 of 1").isEqualTo(13 * MS);
    assertThat(middle.spareNs).as("100 - 20 - 10 of 1 - 5 of 5").isEqualTo(45 * MS);
    assertThat(slow.spareNs).as("nobody is below it").isEqualTo(TaskModel.MAX_NS);
    assertThat(tasks.spare().windowNs()).isEqualTo(100 * MS);
  }

  @Test
  void shouldBeForgottenWhenTheAdmissionChanges() {
    ManagedTasks tasks = tasks(CpuScheduler.fixedPriority());
    ManagedTask fast = admit(tasks, "fast", 10, 1);
    ManagedTask slow = admit(tasks, "slow", 100, 20);
    tasks.refreshSpare();
    assertThat(fast.spareNs).isEqualTo(70 * MS);

    ManagedTask more = admit(tasks, "more", 50, 10);
    assertThat(fast.spareNs).isZero();
    tasks.refreshSpare();
    assertThat(fast.spareNs).as("50 - 10 - 5 of 1").isEqualTo(35 * MS);

    tasks.ended(more);
    tasks.ended(slow);
    assertThat(fast.spareNs).isZero();
    tasks.refreshSpare();
    assertThat(fast.spareNs).isEqualTo(TaskModel.MAX_NS);
    assertThat(tasks.spare().windowNs()).isEqualTo(10 * MS);
  }

  @Test
  void shouldNotLearnWhatWasWorkedOutForAnEarlierAdmission() {
    ManagedTasks tasks = tasks(CpuScheduler.fixedPriority());
    ManagedTask fast = admit(tasks, "fast", 10, 1);
    SpareTime.Placed placed = new SpareTime.Placed(fast, fast.model());
    SpareTime.Question before =
        tasks.spare().question(List.of(List.of(placed)), tasks.control().test());
    admit(tasks, "slow", 100, 20);

    tasks.spare().learn(before.answer(), tasks.all());
    assertThat(tasks.spare().isKnown()).isFalse();
    assertThat(fast.spareNs).isZero();
  }

  /** A release that runs on delays the shorter deadlines, too. */
  @Test
  void shouldBeTheLeastOfAllWhereAReleaseIsNotInterrupted() {
    ManagedTasks tasks = tasks(CpuScheduler.portable());
    ManagedTask fast = admit(tasks, "fast", 10, 1);
    ManagedTask slow = admit(tasks, "slow", 100, 5);
    tasks.refreshSpare();

    assertThat(fast.spareNs).as("10 - 1 - 5").isEqualTo(4 * MS);
    assertThat(slow.spareNs).isEqualTo(4 * MS);
  }
}
