package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The analyses beside each other and beside simulations of each unit of time. */
@NeedsNoRights
class AnalysisTest {
  private static final int SETS = 100_000;

  /** Longer than any busy period of the sets below that ends. */
  private static final long LONG = 100_000;

  private static final long SEED = Seeds.seed();

  @Test
  void shouldAgreeWithSimulationByFixedPriority() {
    Random random = new Random(SEED);
    int schedulable = 0;
    for (int i = 0; i < SETS; i++) {
      List<TaskModel> tasks = randomSet(random);
      String set = "seed=%s %s".formatted(SEED, tasks);
      boolean overloaded = isOverloaded(tasks);
      ResponseTimes found = ResponseTimes.of(tasks);
      boolean missed = overloaded;
      for (int task = 0; task < tasks.size() && !overloaded; task++) {
        Simulator simulated = Simulator.byPriority(tasks, task, LONG);
        assertThat(simulated.endless).as(set).isFalse();
        assertThat(found.responseNs(task)).as(set).isEqualTo(simulated.response[task]);
        missed |= simulated.response[task] > tasks.get(task).deadlineNs();
      }
      assertThat(found.isSchedulable()).as(set).isEqualTo(!missed);
      assertThat(ResponseTimes.areDeadlinesMet(tasks)).as(set).isEqualTo(!missed);
      schedulable += missed ? 0 : 1;
    }
    assertThat(schedulable).as("both kinds are there").isBetween(SETS / 10, SETS * 9 / 10);
  }

  @Test
  void shouldAgreeWithSimulationByEarliestDeadline() {
    Random random = new Random(SEED);
    int schedulable = 0;
    for (int i = 0; i < SETS; i++) {
      List<TaskModel> tasks = randomSet(random);
      String set = "seed=%s %s".formatted(SEED, tasks);
      boolean fits = ProcessorDemand.isSchedulable(tasks);
      boolean overloaded = isOverloaded(tasks);
      boolean missed = overloaded;
      for (TaskModel blocked : tasks) {
        if (overloaded) {
          break;
        }
        // Who is blocked for that long has a deadline here at the earliest; see ProcessorDemand.
        long deadline = blocked.deadlineNs() - blocked.jitterNs();
        Simulator simulated = Simulator.byDeadline(tasks, blocked.blockingNs(), LONG);
        assertThat(simulated.endless).as(set).isFalse();
        assertThat(fits && simulated.lastMiss >= deadline).as(set).isFalse();
        missed |= simulated.missed();
      }
      assertThat(fits || missed).as(set).isTrue();
      assertThat(fits && overloaded).as(set).isFalse();
      schedulable += fits ? 1 : 0;
    }
    assertThat(schedulable).as("both kinds are there").isBetween(SETS / 10, SETS * 9 / 10);
  }

  /** The analysis does not follow a busy period that does not end. */
  private static boolean isOverloaded(List<TaskModel> tasks) {
    return Utilization.isAboveOne(tasks);
  }

  @Test
  void shouldNotScheduleWhatSuspendsItselfForLongerThanThereIs() {
    TaskModel task = TaskModel.of("task", TaskModel.MAX_NS, TaskModel.MAX_NS);
    assertThat(ProcessorDemand.isSchedulable(List.of(task.withSuspensionNs(TaskModel.MAX_NS))))
        .isFalse();
    assertThat(ProcessorDemand.isSchedulable(List.of(task))).isTrue();
  }

  @Test
  void shouldMeetAllDeadlinesWhereTheHyperbolicTestWithBlockingPasses() {
    Random random = new Random(SEED);
    int passed = 0;
    for (int i = 0; i < SETS; i++) {
      List<TaskModel> tasks =
          randomSet(random).stream()
              .map(each -> TaskModel.of(each.name(), each.costNs(), each.periodNs()))
              .map(each -> each.withBlockingNs(random.nextInt(2) * random.nextLong(8)))
              .sorted(ResponseTimes.RATE_MONOTONIC)
              .toList();
      if (UtilizationBounds.passHyperbolicBlocked(tasks)) {
        assertThat(ResponseTimes.areDeadlinesMet(tasks)).as("seed=%s %s", SEED, tasks).isTrue();
        passed++;
      }
    }
    assertThat(passed).isGreaterThan(SETS / 10);
    assertThat(UtilizationBounds.passHyperbolicBlocked(List.of(TaskModel.of("early", 1, 9, 8))))
        .isFalse();
  }

  /** Whatever runs longer delays what is below it as much as what blocks it does. */
  @Test
  void shouldMeetTheDeadlinesOfAllBelowATaskThatUsesWhatTheySpare() {
    Random random = new Random(SEED);
    int spared = 0;
    for (int i = 0; i < SETS; i++) {
      List<TaskModel> tasks =
          randomSet(random).stream().map(each -> each.withSuspensionNs(0)).toList();
      long[] spareNs = Sensitivity.spareNs(tasks);
      for (int above = 0; above < tasks.size() - 1; above++) {
        long longer = spareNs[above];
        if (longer > 0) {
          ResponseTimes found =
              ResponseTimes.of(
                  tasks.stream()
                      .map(each -> each.withBlockingNs(each.blockingNs() + longer))
                      .toList());
          for (int below = above + 1; below < tasks.size(); below++) {
            assertThat(found.meets(below))
                .as("seed=%s %s: %s longer by %s", SEED, tasks, above, longer)
                .isTrue();
          }
          spared++;
        }
      }
      assertThat(spareNs[tasks.size() - 1]).as("nobody is below it").isEqualTo(TaskModel.MAX_NS);
    }
    assertThat(spared).isGreaterThan(SETS / 10);
  }

  /**
   * One to five tasks; a deadline in two is the period, in the others from the cost to twice it;
   * one set in two has jitter and blocking. A set with these that fills the processor is not made:
   * its busy period is very long, or has no end.
   */
  private static List<TaskModel> randomSet(Random random) {
    while (true) {
      List<TaskModel> tasks = new ArrayList<>();
      int size = random.nextInt(1, 6);
      double each = random.nextDouble(0.3, 1.1) / size;
      boolean simple = random.nextBoolean();
      for (int i = 0; i < size; i++) {
        long period = random.nextLong(2, 31);
        long cost = Math.max(1, Math.round(period * each * random.nextDouble(0.2, 1.8)));
        long deadline =
            random.nextBoolean() ? period : random.nextLong(cost, Math.max(cost, 2 * period) + 1);
        TaskModel task = TaskModel.of("t" + i, cost, period, deadline);
        if (!simple) {
          task = task.withBlockingNs(random.nextInt(3) > 0 ? 0 : random.nextLong(10));
          task = task.withJitterNs(random.nextInt(3) > 0 ? 0 : random.nextLong(period * 3 / 2));
        }
        tasks.add(task);
      }
      double share = Utilization.of(tasks);
      if (simple || share < 0.99 || share > 1.000001) {
        return tasks;
      }
    }
  }

  /** Sufficient: nothing that tasks may do makes a response time longer. */
  @Test
  void shouldNotBeExceededByTasksThatSuspendThemselves() {
    Random random = new Random(SEED);
    int compared = 0;
    for (int i = 0; i < 20_000; i++) {
      List<TaskModel> tasks =
          randomSet(random).stream()
              .map(
                  each ->
                      TaskModel.of(each.name(), each.costNs(), each.periodNs())
                          .withJitterNs(Math.min(each.jitterNs(), 4))
                          .withSuspensionNs(random.nextInt(2) * random.nextLong(6)))
              .toList();
      ResponseTimes found = ResponseTimes.of(tasks);
      if (found.isSchedulable()) {
        RandomRun run = RandomRun.of(tasks, random, 300);
        for (int task = 0; task < tasks.size(); task++) {
          assertThat(run.response[task])
              .as("seed=%s %s", SEED, tasks)
              .isLessThanOrEqualTo(found.responseNs(task));
        }
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(1_000);
  }

  /**
   * A server with a budget that it keeps until its period ends gives it twice in a row at the
   * worst: at the end of one period and the beginning of the next.
   */
  @Test
  void shouldCountADeferrableServerAsATaskWithJitter() {
    TaskModel server = TaskModel.of("server", 2, 10, 20).withJitterNs(10 - 2);
    TaskModel task = TaskModel.of("task", 3, 10);
    assertThat(ResponseTimes.of(List.of(server, task)).responseNs(1)).as("2 + 2 + 3").isEqualTo(7);
    assertThat(ResponseTimes.of(List.of(server, task)).responseNs(0))
        .as("of a period")
        .isEqualTo(10);
    assertThat(ResponseTimes.of(List.of(server.withJitterNs(0), task)).responseNs(1)).isEqualTo(5);
  }

  @Test
  void shouldNotPassByUtilizationWhatMissesItsDeadline() {
    Random random = new Random(SEED);
    int passed = 0;
    for (int i = 0; i < 20_000; i++) {
      List<TaskModel> tasks =
          randomSet(random).stream()
              .map(each -> TaskModel.of(each.name(), each.costNs(), each.periodNs()))
              .sorted(ResponseTimes.RATE_MONOTONIC)
              .toList();
      boolean schedulable = ResponseTimes.of(tasks).isSchedulable();
      boolean liuLayland = UtilizationBounds.passLiuLayland(tasks);
      boolean hyperbolic = UtilizationBounds.passHyperbolic(tasks);
      assertThat(!hyperbolic || schedulable).as("seed=%s %s", SEED, tasks).isTrue();
      assertThat(!liuLayland || hyperbolic).as("seed=%s %s", SEED, tasks).isTrue();
      assertThat(!UtilizationBounds.passExtended(tasks, 1.2, 0.7) || liuLayland).isTrue();
      passed += liuLayland ? 1 : 0;
    }
    assertThat(passed).isGreaterThan(1_000);
  }

  /** One of it has a deadline that is as far away as a hundred million of its periods. */
  @Test
  void shouldGiveUpAVerdictThatWouldKeepOthersWaiting() {
    List<TaskModel> tasks =
        List.of(
            TaskModel.of("high", 3_000_000_000L, 10_000_000_000L),
            TaskModel.of("low", 20, 130, 20_000_000_000L));

    assertThat(ResponseTimes.areDeadlinesMet(tasks)).isFalse();
    assertThat(ResponseTimes.areDeadlinesMet(tasks.subList(1, 2))).isTrue();
    List<TaskModel> blocked =
        List.of(
            TaskModel.of("often", 999, 1_000),
            TaskModel.of("long", 100_000, 1_000_000_000_000L).withBlockingNs(1_000_000_000L));
    assertThat(ProcessorDemand.isSchedulable(blocked)).isFalse();
    assertThat(ProcessorDemand.areDeadlinesMet(blocked)).isFalse();
  }
}
