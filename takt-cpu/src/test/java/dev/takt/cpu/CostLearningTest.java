package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.cost.CostBound.Basis;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is decided of measured releases, which this test makes up; nothing runs. */
class CostLearningTest {
  private static final long MS = 1_000_000;
  private static final int RELEASES = 200;

  private final List<ManagerEvent> events = new CopyOnWriteArrayList<>();
  private final ManagerSettings settings =
      ManagerSettings.defaults()
          .withScheduler(CpuScheduler.fixedPriority())
          .withEvents(events::add);
  private final ProcessorsApart places = new ProcessorsApart(settings);
  private final ManagedTasks tasks = new ManagedTasks(settings, places, () -> {});
  private final AdmissionControl control = tasks.control();
  private final List<String> exceeded = new ArrayList<>();

  private final CostLearning learning =
      new CostLearning(
          tasks,
          new Supervisor.Findings() {
            @Override
            public void overrun(ManagedTask task, long usedNs) {
              throw new AssertionError("that is the supervisor's");
            }

            @Override
            public void spent(ManagedTask task, Supervised subject) {
              throw new AssertionError("that is the supervisor's");
            }

            @Override
            public void demote(ManagedTask task, Supervised subject) {
              assertThat(exceeded).as("before anything else").isEmpty();
            }

            @Override
            public void exceeded(ManagedTask task, Supervised subject, String reason) {
              exceeded.add(reason);
            }
          },
          1e-6);

  /** Of the thread that runs the releases. */
  private long usedNs;

  private boolean measured = true;

  @AfterEach
  void close() {
    places.close();
  }

  private ManagedTask admitted(Profile profile) {
    Decision decision = control.admit(profile.model(profile.trialCostNs()), 0, false);
    assertThat(decision.isAdmitted()).isTrue();
    ThreadMeter meter =
        new ThreadMeter() {
          @Override
          public long usedNs() {
            return measured ? usedNs : UNKNOWN;
          }

          @Override
          public long allocatedBytes() {
            return UNKNOWN;
          }
        };
    State state = profile.budgetNs() == 0 ? State.TRIAL : State.ADMITTED;
    return new ManagedTask(profile, decision, state, new CostSamples(RELEASES, meter, true));
  }

  /** Runs releases until the samples are full; their costs are a hundred different ones. */
  private void learn(ManagedTask task, long costNs) {
    learn(task, costNs, costNs, 0);
  }

  private void learn(ManagedTask task, long costNs, long wallNs, long tardinessNs) {
    for (int i = 0; !task.samples.full(); i++) {
      task.samples.onBegin(false);
      usedNs += costNs - i % 100;
      task.samples.onEnd(wallNs - i % 100, tardinessNs);
    }
    events.clear();
    learning.learn(task);
  }

  private List<Kind> kinds() {
    return events.stream().map(ManagerEvent::kind).toList();
  }

  private long admittedCostNs(ManagedTask task) {
    return control.find(task.name()).orElseThrow().task().costNs();
  }

  @Test
  void shouldAdmitWithTheBoundWhenATrialEndsWell() {
    ManagedTask task = admitted(Profile.of("task", 10 * MS));
    learn(task, MS, 3 * MS, 0);

    assertThat(kinds()).containsExactly(Kind.MEASURED, Kind.ADMITTED);
    assertThat(task.state()).isEqualTo(State.ADMITTED);
    assertThat(task.costNs()).isEqualTo(admittedCostNs(task)).isEqualTo(1_200_000);
    assertThat(events.getFirst().detail())
        .contains("maximum 1 ms", "from begin to end 3.00 ms on average, 3 ms at most");
  }

  @Test
  void shouldNotGiveMoreThanTheClassAllowsForABoundThatIsBeyondIt() {
    ManagedTask task = admitted(Profile.of("task", 10 * MS));
    learn(task, 4_900_000);

    assertThat(kinds()).containsExactly(Kind.MEASURED, Kind.ADMITTED);
    assertThat(task.costNs()).as("half of the period").isEqualTo(5 * MS);
    assertThat(exceeded).isEmpty();
  }

  @Test
  void shouldHandATaskToItsClassThatExceedsItsCost() {
    ManagedTask task = admitted(Profile.of("task", 10 * MS));
    task.subject(new IdleSubject());
    learn(task, 5_000_200);

    assertThat(kinds()).containsExactly(Kind.MEASURED, Kind.NONCONFORMING);
    assertThat(exceeded).hasSize(1);
    assertThat(exceeded.getFirst())
        .contains("it does not keep to its cost: of 200 releases 200 took more", "cost 5 ms");
    assertThat(task.state()).as("until the class's policy is done").isEqualTo(State.TRIAL);
  }

  @Test
  void shouldHandATaskToItsClassThatIsLate() {
    ManagedTask task = admitted(Profile.of("task", 10 * MS).withBudgetNs(2 * MS));
    task.subject(new IdleSubject());
    learn(task, MS, 12 * MS, 2 * MS);

    assertThat(exceeded).hasSize(1);
    assertThat(exceeded.getFirst()).contains("it does not keep to its period", "200 ended past");
  }

  @Test
  void shouldAskForMoreWhenTheCostCreepsAndNotForChance() {
    ManagedTask task = admitted(Profile.of("task", 100 * MS));
    learn(task, MS);
    long firstNs = task.costNs();
    double costNs = MS;
    int reports = 0;
    for (int window = 0; window < 30; window++) {
      costNs *= 1.01;
      learn(task, (long) costNs);
      reports += kinds().contains(Kind.DRIFTED) ? 1 : 0;
      assertThat((double) task.costNs())
          .as("the cost is never far below what is measured")
          .isGreaterThan(task.measured().boundNs() / 1.06);
    }
    assertThat(reports).as("1.01^30 is 1.35, and that six steps of 5 %").isBetween(4, 6);
    assertThat(admittedCostNs(task)).isEqualTo(task.costNs()).isGreaterThan(firstNs);

    for (int window = 0; window < 20; window++) {
      learn(task, (long) (costNs * (window % 2 == 0 ? 0.97 : 1.01)));
      assertThat(kinds()).containsExactly(Kind.MEASURED);
    }
  }

  @Test
  void shouldReportOnceWhatDoesNotFit() {
    control.admit(TaskModel.of("other", 60, 100), 0, false);
    ManagedTask task = admitted(Profile.of("task", 100 * MS).withBudgetNs(9 * MS));
    task.admittedWith(5 * MS);
    learn(task, 6 * MS);
    assertThat(kinds()).containsExactly(Kind.MEASURED, Kind.DRIFTED);
    assertThat(events.getLast().detail()).contains("it fits");
    control.admit(TaskModel.of("more", 2, 100), 0, false);
    learn(task, 7 * MS);
    assertThat(kinds()).containsExactly(Kind.MEASURED, Kind.DRIFTED);
    assertThat(events.getLast().detail()).contains("it keeps its cost of 7.2 ms");
    learn(task, 7 * MS);
    assertThat(kinds()).as("it was said").containsExactly(Kind.MEASURED);
  }

  @Test
  void shouldTakeTheTimeThatPassedWhereProcessorTimeIsNotMeasuredOrTooCoarse() {
    measured = false;
    ManagedTask task = admitted(Profile.of("task", 10 * MS));
    learn(task, 0, 2 * MS, 0);
    assertThat(task.measured()).isEqualTo(task.measuredWall());

    measured = true;
    ManagedTask coarse = admitted(Profile.of("coarse", 100 * MS).withBudgetNs(9 * MS));
    for (int i = 0; !coarse.samples.full(); i++) {
      coarse.samples.onBegin(false);
      coarse.samples.onEnd(MS - i % 100, 0); // the clock stands still
    }
    learning.learn(coarse);
    assertThat(coarse.measured().basis()).isEqualTo(Basis.TOO_FEW);
    assertThat(coarse.measured().maxNs()).isEqualTo(MS);
  }

  @Test
  void shouldMeasureEachReleaseOfATrialButTheColdOnesAndThenOneOfManyMore() {
    ManagedTask task = admitted(Profile.of("task", 100 * MS));
    assertThat(releasesUntilFull(task)).isEqualTo(CostSamples.COLD + RELEASES);
    learning.learn(task);
    assertThat(releasesUntilFull(task))
        .isBetween(RELEASES * CostSamples.STRIDE * 8 / 10, RELEASES * CostSamples.STRIDE * 12 / 10);
    assertThat(events).extracting(ManagerEvent::task).containsOnly("task");
    assertThat(OptionalLong.of(task.measured().releases())).hasValue(RELEASES);
  }

  @Test
  void shouldSayWhatACloselyMeasuredReleaseHasUsedAndTakeItForNoSample() {
    ManagedTask task = admitted(Profile.of("task", 100 * MS));
    learn(task, MS); // from now on one of many is a sample
    int releases = 0;
    for (; !task.samples.full(); releases++) {
      task.samples.onBegin(true);
      usedNs += MS;
      assertThat(task.samples.onEnd(MS, 0)).isEqualTo(MS);
    }
    assertThat(releases).isGreaterThan(RELEASES * CostSamples.STRIDE / 2);
  }

  private int releasesUntilFull(ManagedTask task) {
    int releases = 0;
    for (; !task.samples.full(); releases++) {
      task.samples.onBegin(false);
      usedNs += 1_000 + releases % 100;
      task.samples.onEnd(2_000, 0);
    }
    return releases;
  }
}
