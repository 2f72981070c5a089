package dev.takt.cpu.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.admission.AdmissionTest.Kind;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NeedsNoRights
class AdmissionControlTest {
  private static final long SEED = Seeds.seed();

  private static final AdmissionTest TIMES = AdmissionTest.of(Kind.RESPONSE_TIMES);

  private final AdmissionControl control = new AdmissionControl(TIMES, 2);

  private static TaskModel task(String name, long costNs, long periodNs) {
    return TaskModel.of(name, costNs, periodNs);
  }

  @Test
  void shouldPlaceTasksOnTheFirstProcessorWhereTheyFit() {
    assertThat(control.admit(task("a", 5, 10), 0, false).processor()).isZero();
    assertThat(control.admit(task("b", 5, 10), 0, false).processor()).isEqualTo(1);
    assertThat(control.admit(task("c", 2, 10), 0, false).processor()).isZero();
    assertThat(control.utilization(0)).isEqualTo(0.7);
  }

  @Test
  void shouldSpreadTasksThatTakeTurnsAndStillFindTheOnlyPlaceThatIsLeft() {
    AdmissionControl turns = new AdmissionControl(AdmissionTest.of(Kind.NON_PREEMPTIVE), 3);
    assertThat(turns.admit(task("a", 20, 100), 0, false).processor()).isZero();
    assertThat(turns.admit(task("b", 31, 100), 0, false).processor()).isEqualTo(1);
    assertThat(turns.admit(task("c", 25, 100), 0, false).processor()).isEqualTo(2);
    assertThat(turns.admit(task("d", 10, 100), 0, false).processor()).isZero();
    assertThat(turns.admit(task("e", 10, 100), 0, false).processor()).isEqualTo(2);
    assertThat(turns.admit(task("f", 39, 100), 0, false).processor()).isZero();
    assertThat(turns.admit(task("g", 38, 100), 0, true).processor()).isEqualTo(1);
    assertThat(turns.admit(task("h", 38, 100), 1, true))
        .as("the least that must go for it, then the processor that is used least")
        .satisfies(each -> assertThat(each.displaced()).containsExactly("c"))
        .satisfies(each -> assertThat(each.processor()).isEqualTo(2));
  }

  @Test
  void shouldAskForBudgetsWhereNothingMoreFits() {
    control.admit(task("a", 7, 10), 0, false);
    control.admit(task("b", 7, 10), 0, false);
    assertThat(control.admit(task("c", 3, 10), 0, true).reason())
        .endsWith(
            "; nothing more fits: give a budget (budgetNs) to each task that has none, remove a"
                + " task, or add a processor");
  }

  @Test
  void shouldExplainARefusalAndSayWhatWouldFit() {
    control.admit(task("a", 5, 10), 0, false);
    control.admit(task("b", 6, 10), 0, false);
    Decision refused = control.admit(task("c", 3, 10), 0, true);
    assertThat(refused.isAdmitted()).isFalse();
    assertThat(refused.fittingCostNs()).hasValue(2);
    assertThat(refused.fittingPeriodNs()).hasValue(15);
    assertThat(refused.reason())
        .isEqualTo(
            "with it 2 tasks would take 80.0 % of the processor, the limit is 70.0 %; it would fit"
                + " with a cost of 2 ns at most, or with a period of 15 ns at least");
    assertThat(control.find("c")).isEmpty();
  }

  @Test
  void shouldExplainAMissedDeadline() {
    control.admit(TaskModel.of("a", 10, 20, 11), 0, false);
    control.admit(TaskModel.of("b", 10, 20, 11), 0, false);
    Decision refused = control.admit(TaskModel.of("c", 3, 1_000, 12), 0, false);
    assertThat(refused.reason())
        .startsWith("c would end 13 ns after its arrival at the worst, its deadline is 12 ns; it")
        .contains("a cost of 2 ns at most");
  }

  /** All deadlines are met, and to find that out takes two million terms. */
  @Test
  void shouldRefuseWhatTakesTooLongToAnalyseAndSaySo() {
    AdmissionControl all = new AdmissionControl(new AdmissionTest(Kind.RESPONSE_TIMES, 1, 1), 1);
    all.admit(task("high", 3_000_000_000L, 10_000_000_000L), 0, false);

    Decision refused = all.admit(TaskModel.of("low", 200, 1_300, 20_000_000_000L), 0, false);

    assertThat(refused.isAdmitted()).isFalse();
    assertThat(refused.reason())
        .startsWith("it takes too long to find out whether all deadlines are met (limit: 1040000");
  }

  @Test
  void shouldKeepADeadlineThatIsNotThePeriodWhenItSaysWhichPeriodWouldFit() {
    control.admit(task("a", 6, 10), 0, false);
    control.admit(task("b", 6, 10), 0, false);
    Decision refused = control.admit(TaskModel.of("c", 3, 10, 14), 0, false);
    long periodNs = refused.fittingPeriodNs().orElseThrow();

    assertThat(control.admit(TaskModel.of("c", 3, periodNs, 14), 0, false).isAdmitted()).isTrue();
  }

  /** All that are beyond the priorities that there are have one, where none preempts another. */
  @Test
  void shouldCountWhatTasksOfOnePriorityDelayEachOther() {
    for (int above : new int[] {AdmissionTest.PRIORITIES - 2, AdmissionTest.PRIORITIES - 1}) {
      AdmissionControl one = new AdmissionControl(TIMES, 1);
      for (int i = 0; i < above; i++) {
        assertThat(one.admit(task("t" + i, 1, 50_000), 0, false).isAdmitted()).isTrue();
      }
      assertThat(one.admit(task("short", 10_000, 100_000), 0, false).isAdmitted()).isTrue();
      Decision decision = one.admit(task("long", 95_000, 1_000_000), 0, false);
      assertThat(decision.isAdmitted()).isEqualTo(above == AdmissionTest.PRIORITIES - 2);
      if (!decision.isAdmitted()) {
        assertThat(decision.reason())
            .startsWith("short would end 105.234 us after its arrival")
            .contains("from the 79th task of a processor on all have one priority");
        assertThat(admits(one, task("long", decision.fittingCostNs().orElseThrow(), 1_000_000)))
            .isTrue();
      }
    }
  }

  @Test
  void shouldSpareNothingAmongTasksOfOnePriorityThatOneOfThemCannot() {
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 0; i < AdmissionTest.PRIORITIES - 1; i++) {
      tasks.add(task("t" + i, 1, 50_000));
    }
    tasks.add(task("short", 10_000, 100_000));
    tasks.add(task("long", 80_000, 1_000_000));

    long[] spareNs = TIMES.spareNs(tasks);

    assertThat(spareNs[AdmissionTest.PRIORITIES])
        .as("what the long one may take too much, before the short one is late")
        .isBetween(9_000L, 10_000L);
  }

  @Test
  void shouldDisplaceTheFewestTasksOfTheLowestRank() {
    control.admit(task("low", 2, 10), 1, false);
    control.admit(task("middle", 4, 10), 2, false);
    control.admit(task("high", 7, 10), 9, false);
    Decision decision = control.admit(task("new", 2, 10), 5, true);
    assertThat(decision.displaced()).containsExactly("low");
    assertThat(decision.processor()).isZero();
    assertThat(control.admit(task("equal", 7, 10), 5, true).isAdmitted()).isFalse();
    assertThat(control.admit(task("first", 7, 10), 6, true).displaced())
        .containsExactly("middle", "new");
    assertThat(control.find("high")).isPresent();
  }

  @Test
  void shouldNotDisplaceWithoutTheRightTo() {
    control.admit(task("a", 7, 10), 1, false);
    control.admit(task("b", 7, 10), 1, false);
    assertThat(control.admit(task("c", 1, 10), 9, false).isAdmitted()).isFalse();
  }

  @Test
  void shouldTakeAMeasuredCostIfItFits() {
    control.admit(task("a", 3, 10), 0, false);
    control.admit(task("b", 3, 10), 0, false);
    assertThat(control.changeCost("a", 5)).isFalse();
    assertThat(control.changeCost("a", 4)).isTrue();
    assertThat(control.changeCost("b", 1)).isTrue();
    assertThat(control.changeCost("a", 6)).isTrue();
    assertThatThrownBy(() -> control.changeCost("c", 1)).hasMessageContaining("no task named c");
  }

  @Test
  void shouldKeepItsTasksAndAdmitNoOtherWhereTheyDoNotPassWithMoreTime() {
    control.admit(task("a", 500, 1_000), 0, false);
    assertThat(control.changeExtensum(1.5)).containsExactly(0);
    assertThat(control.find("a")).isPresent();
    assertThat(control.admit(task("b", 1, 1_000), 0, false).processor()).isEqualTo(1);
    assertThat(control.changeCost("a", 501)).isFalse();
    assertThat(control.changeExtensum(1.3)).isEmpty();
    assertThat(control.admit(task("c", 100, 1_000), 0, false).processor()).isEqualTo(1);
    assertThat(control.changeExtensum(1)).isEmpty();
    assertThat(control.admit(task("d", 100, 1_000), 0, false).processor()).isZero();
  }

  @Test
  void shouldReadmitOnTheSameProcessorOnly() {
    control.admit(task("a", 6, 10), 0, false);
    assertThat(control.readmit(task("b", 6, 10), 0, 0)).isFalse();
    assertThat(control.find("b")).isEmpty();
    control.remove("a");
    assertThat(control.readmit(task("b", 6, 10), 0, 0)).isTrue();
    assertThat(control.tasks(0)).hasSize(1);
    assertThatThrownBy(() -> control.readmit(task("b", 1, 10), 0, 1))
        .hasMessageContaining("a task named b is admitted already");
  }

  @Test
  void shouldRefuseANameThatIsThere() {
    control.admit(task("a", 1, 10), 0, false);
    assertThatThrownBy(() -> control.admit(task("a", 1, 10), 0, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a task named a is admitted already");
    assertThat(control.remove("a")).isTrue();
    assertThat(control.remove("a")).isFalse();
    assertThat(control.admit(task("a", 1, 10), 0, false).isAdmitted()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldKeepTheTestOfEachProcessorWhateverComesAndGoes(Kind kind) {
    SplittableRandom random = new SplittableRandom(SEED);
    AdmissionControl control =
        new AdmissionControl(new AdmissionTest(kind, 1.1, 0.8), 1 + random.nextInt(3));
    List<String> present = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String history = "%s, seed %s, step %s".formatted(kind, SEED, i);
      if (!present.isEmpty() && random.nextInt(4) == 0) {
        String name = present.get(random.nextInt(present.size()));
        if (random.nextBoolean()) {
          assertThat(control.remove(name)).as(history).isTrue();
          present.remove(name);
        } else {
          control.changeCost(name, random.nextLong(1, 3_000));
        }
      } else {
        long periodNs = random.nextLong(1_000, 10_000);
        TaskModel task = task("t" + i, random.nextLong(1, periodNs / 2), periodNs);
        int rank = random.nextInt(4);
        List<Integer> before = ranks(control, present);
        Decision decision = control.admit(task, rank, random.nextBoolean());
        if (decision.isAdmitted()) {
          for (String each : decision.displaced()) {
            assertThat(before.get(present.indexOf(each))).as(history).isLessThan(rank);
          }
          present.removeAll(decision.displaced());
          present.add(task.name());
        } else {
          decision
              .fittingCostNs()
              .ifPresent(
                  costNs ->
                      assertThat(admits(control, task.withCostNs(costNs))).as(history).isTrue());
          decision
              .fittingPeriodNs()
              .ifPresent(
                  longerNs ->
                      assertThat(admits(control, task(task.name(), task.costNs(), longerNs)))
                          .as(history)
                          .isTrue());
        }
      }
      for (String each : present) {
        assertThat(control.find(each)).as(history).isPresent();
      }
      assertPasses(control, history);
    }
  }

  private static List<Integer> ranks(AdmissionControl control, List<String> names) {
    return names.stream().map(each -> control.find(each).orElseThrow().rank()).toList();
  }

  private static boolean admits(AdmissionControl control, TaskModel task) {
    boolean admitted = control.admit(task, 0, false).isAdmitted();
    control.remove(task.name());
    return admitted;
  }

  private static void assertPasses(AdmissionControl control, String history) {
    for (int i = 0; i < control.processors(); i++) {
      List<TaskModel> tasks =
          control.tasks(i).stream().map(AdmissionControl.Admitted::task).toList();
      assertThat(control.test().passes(tasks)).as(history).isTrue();
    }
  }
}
