package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.admission.Decision;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Times are in microseconds, given as nanoseconds. */
class SupervisorTest {
  private static final long US = 1_000;
  private static final long PERIOD = 800 * US;
  private static final long COST = 2_000 * US;

  /** The number of a release whose code is warm. */
  private static final long WARM = CostSamples.COLD + 1;

  private final List<String> found = new ArrayList<>();
  private final IdleSubject subject = new IdleSubject();
  private final ManagedTask task = task();
  private long usedNs;
  private int demoted;
  private int demotedAtFirstReport;
  private int spent;
  private boolean waits;
  private final ColdCode code = new ColdCode(0);
  private final SpareTime spare = new SpareTime();

  private final Supervisor supervisor =
      new Supervisor(
          new Supervisor.ThreadTimes() {
            @Override
            public long usedNs(int threadId) {
              return usedNs;
            }

            @Override
            public boolean waits(Thread thread) {
              return waits;
            }
          },
          PERIOD,
          spare,
          code,
          new Supervisor.Findings() {
            @Override
            public void overrun(ManagedTask task, long usedNs) {
              demotedAtFirstReport = found.isEmpty() ? demoted : demotedAtFirstReport;
              found.add("overrun " + usedNs / US);
            }

            @Override
            public void spent(ManagedTask task, Supervised subject) {
              spent++;
            }

            @Override
            public void demote(ManagedTask task, Supervised subject) {
              demoted++;
            }

            @Override
            public void exceeded(ManagedTask task, Supervised subject, String reason) {
              found.add(reason);
            }
          });

  private ManagedTask task() {
    return task(COST);
  }

  private ManagedTask task(long budgetNs) {
    Profile profile = Profile.of("task", 10_000 * US).withBudgetNs(budgetNs);
    Decision decision = new Decision(0, List.of(), "", OptionalLong.empty(), OptionalLong.empty());
    ManagedTask task =
        new ManagedTask(
            profile,
            decision,
            ManagedTask.State.ADMITTED,
            new CostSamples(1, ThreadMeter.system(), true));
    task.subject(subject);
    return task;
  }

  /** Lets a release run all the time from its begin to a look. */
  private void lookWhileRunning(long beginUs, long nowUs) {
    usedNs = nowUs * US;
    subject.running = new RunningRelease(WARM, beginUs * US, beginUs * US, Thread.currentThread());
    supervisor.look(List.of(task), nowUs * US);
  }

  @Test
  void shouldFindNothingWhileAReleaseKeepsToItsCost() {
    lookWhileRunning(0, 700);
    lookWhileRunning(0, 1_500);
    lookWhileRunning(0, 2_000);

    assertThat(found).isEmpty();
    assertThat(task.overruns()).isZero();
  }

  @Test
  void shouldCountAnOverrunOnceAtTheFirstLookAfterTheCost() {
    lookWhileRunning(0, 700);
    lookWhileRunning(0, 1_500);
    lookWhileRunning(0, 2_300);
    lookWhileRunning(0, 3_100);

    assertThat(found).containsExactly("overrun 2300");
    assertThat(task.overruns()).isEqualTo(1);
    assertThat(spent).as("2400 since it was seen").isEqualTo(1);
  }

  /** It sleeps from its begin on: of the time that has passed it has used 50 us. */
  @Test
  void shouldChargeNoMoreForWhatItHasNotSeenThanTheThreadHasUsedSinceItWasLookedAt() {
    ManagedTask sleeps = task(1_000 * US);
    for (long number = WARM; number < WARM + 3; number++) {
      long beginNs = number * 10_000 * US;
      subject.running = new RunningRelease(number, beginNs, beginNs, Thread.currentThread());
      usedNs += 50 * US;
      supervisor.look(List.of(sleeps), beginNs + 1_700 * US);
      supervisor.look(List.of(sleeps), beginNs + 2_500 * US);
    }
    assertThat(found).isEmpty();

    usedNs += 900 * US;
    supervisor.look(List.of(sleeps), (WARM + 2) * 10_000 * US + 3_500 * US);
    assertThat(found).isEmpty();
    usedNs += 200 * US;
    supervisor.look(List.of(sleeps), (WARM + 2) * 10_000 * US + 4_300 * US);
    assertThat(found).containsExactly("overrun 1150");
  }

  @Test
  void shouldGiveTheFirstReleasesTheTimeToLoadTheirClasses() {
    subject.running = new RunningRelease(CostSamples.COLD, 0, 0, Thread.currentThread());
    for (long nowUs : new long[] {0, 27_000, 27_001}) {
      usedNs = nowUs * US;
      supervisor.look(List.of(task), nowUs * US);
    }

    assertThat(found)
        .containsExactly("overrun 27000", "27.001 ms used (limit: 2 ms, grace: 25 ms)");
  }

  @Test
  void shouldReportEachLookBeyondTheGrace() {
    for (long nowUs = 700; nowUs <= 9_000; nowUs += 800) {
      lookWhileRunning(0, nowUs);
    }

    assertThat(found)
        .containsExactly(
            "overrun 2300",
            "7.2 ms used (limit: 2 ms, grace: 5 ms)",
            "8 ms used (limit: 2 ms, grace: 5 ms)");
    assertThat(demoted).isEqualTo(2);
  }

  @Test
  void shouldNotChargeATaskForTheTimeInWhichOthersHadTheProcessor() {
    lookWhileRunning(0, 700);
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    for (long nowUs = 1_500; nowUs < 12_000; nowUs += 800) {
      supervisor.look(List.of(task), nowUs * US); // nothing is used
    }

    assertThat(found).isEmpty();
  }

  @Test
  void shouldChargeTwoPeriodsAtMostForWhatWasBeforeTheFirstLook() {
    lookWhileRunning(0, 20_000);
    assertThat(found).isEmpty();

    usedNs += 401 * US;
    supervisor.look(List.of(task), 20_401 * US);
    assertThat(found).containsExactly("overrun 2001");
  }

  /** It may have waited for the processor all that time: an overrun is counted, nothing is done. */
  @Test
  void shouldDoNothingAboutATaskForTimeThatItMayNotHaveUsed() {
    lookWhileRunning(0, 7_001 + 1_600);
    usedNs += 6_000 * US;
    supervisor.look(List.of(task), 7_001 * US + 1_600 * US + 6_000 * US);
    assertThat(found).containsExactly("overrun 7600");
    assertThat(demoted).isZero();

    usedNs += 1_001 * US;
    supervisor.look(List.of(task), 20_000 * US);
    assertThat(found).hasSize(2).last().asString().startsWith("7.001 ms used");
    assertThat(demoted).isEqualTo(1);
  }

  @Test
  void shouldFindReleasesThatAreTooShortForALookByWhatTheyOweTogether() {
    for (int i = 0; i < 10; i++) {
      task.debt.add(COST + 500 * US, COST);
    }
    supervisor.look(List.of(task), 0);
    assertThat(found).as("it owes the grace of 5 ms, and no more").isEmpty();

    task.debt.add(COST + 1, COST);
    supervisor.look(List.of(task), 0);
    supervisor.look(List.of(task), 0);

    assertThat(found).hasSize(2).first().isEqualTo("overrun 7000");
    assertThat(found.getLast())
        .isEqualTo(
            "5.000001 ms more than its cost used in releases one after the other (limit: 2 ms"
                + " each, grace: 5 ms)");
    assertThat(task.overruns()).isEqualTo(1);
    assertThat(demoted).isEqualTo(1);
  }

  @Test
  void shouldChargeAllTimeWhereProcessorTimeIsUnknown() {
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    usedNs = -1;
    supervisor.look(List.of(task), 2_001 * US);

    assertThat(found).containsExactly("overrun 2001");
  }

  /** What a thread has used before the release, 40 ms here, is not the release's. */
  @Test
  void shouldMeasureAnewWhenTheThreadOfARunningReleaseBecomesKnown() {
    usedNs = -1;
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    supervisor.look(List.of(task), 100 * US);
    task.onBegin(Thread.currentThread(), () -> 7, 0);
    usedNs = 40_000 * US;
    supervisor.look(List.of(task), 900 * US);
    usedNs += 1_000 * US;
    supervisor.look(List.of(task), 2_500 * US);
    assertThat(found).isEmpty();

    usedNs += 200 * US;
    supervisor.look(List.of(task), 3_300 * US);
    assertThat(found).containsExactly("overrun 2100");
  }

  @Test
  void shouldFindAReleaseThatSleepsLongAfterItsDeadline() {
    waits = true;
    lookWhileRunning(0, 0);
    supervisor.look(List.of(task), (2 * 10_000 + 50_000) * US);
    assertThat(found).isEmpty();
    supervisor.look(List.of(task), (2 * 10_000 + 50_000 + 1) * US);

    assertThat(found).containsExactly("it runs since 70.001 ms (deadline: 10 ms)");
  }

  /** It waits for the processor of an overloaded machine. */
  @Test
  void shouldGiveTenTimesAsLongToAReleaseThatCouldRun() {
    lookWhileRunning(0, 0);
    for (long nowUs = 1_000; nowUs <= 705_000; nowUs += 1_000) {
      usedNs = nowUs < 5_000 ? nowUs / 5 * US : 1_000 * US; // the last one that runs is at 5 ms
      supervisor.look(List.of(task), nowUs * US);
    }
    assertThat(found).isEmpty();
    supervisor.look(List.of(task), 705_001 * US);

    assertThat(found).containsExactly("it runs since 705.001 ms (deadline: 10 ms)");
  }

  /** It has the JVM work, for example collect the heap, and uses little itself. */
  @Test
  void shouldFindAReleaseThatRunsOnLongAfterItHasUsedUpItsCost() {
    lookWhileRunning(0, 0);
    for (long nowUs = 1_000; nowUs <= 1_101_000; nowUs += 1_000) {
      usedNs = nowUs * US / 200; // 2 ms are exceeded at 401 ms, the grace never
      supervisor.look(List.of(task), nowUs * US);
    }
    assertThat(found).containsExactly("overrun 2005");
    supervisor.look(List.of(task), 1_101_001 * US);

    assertThat(found).containsExactly("overrun 2005", "it runs since 1.101001 s (deadline: 10 ms)");
  }

  /** The kernel stops it just before that; 250 us of its cost were used before it was seen. */
  @Test
  void shouldTreatAReservationAsSpentWhenItIsUsedUpAndTheReleaseStandsStill() {
    task.schedule(ThreadScheduling.deadline(COST, 10_000 * US, 10_000 * US), task.model(), 0);
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    usedNs = 250 * US;
    supervisor.look(List.of(task), 250 * US);
    usedNs = 1_900 * US;
    supervisor.look(List.of(task), 2_001 * US);
    assertThat(spent).as("it may go on").isZero();
    supervisor.look(List.of(task), 2_800 * US);
    assertThat(spent).isEqualTo(1);
    assertThat(demoted).isZero();
  }

  @Test
  void shouldNotTreatAReservationAsSpentThatHasSomeLeft() {
    task.schedule(ThreadScheduling.deadline(COST, 10_000 * US, 10_000 * US), task.model(), 0);
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    supervisor.look(List.of(task), 250 * US);
    usedNs = 1_400 * US;
    supervisor.look(List.of(task), 2_001 * US);
    supervisor.look(List.of(task), 2_800 * US);

    assertThat(spent).isZero();
  }

  @Test
  void shouldGiveAllTheLongerGraceWhileCodeIsColdFromAFlipOfStopSites() {
    code.begin();
    lookWhileRunning(0, 0);
    lookWhileRunning(0, 20_000);
    code.end(20_000 * US);
    lookWhileRunning(0, 27_000);
    assertThat(found).containsExactly("overrun 20000");
    lookWhileRunning(0, 27_001);

    assertThat(found).last().isEqualTo("27.001 ms used (limit: 2 ms, grace: 25 ms)");
    assertThat(code.isCold(119_999 * US)).isTrue();
    assertThat(code.isCold(120_000 * US)).isFalse();
  }

  @Test
  void shouldNotGiveTheLongerGraceToWhatHadUsedUpItsCostBeforeAFlip() {
    lookWhileRunning(0, 0);
    lookWhileRunning(0, 2_001);
    code.begin();
    lookWhileRunning(0, 7_001);

    assertThat(found).last().isEqualTo("7.001 ms used (limit: 2 ms, grace: 5 ms)");
  }

  @Test
  void shouldForgiveWhatIsOwedForCodeThatIsCold() {
    code.begin();
    task.debt.add(COST + 50_000 * US, COST);
    supervisor.look(List.of(task), 0);
    code.end(0);
    supervisor.look(List.of(task), ColdCode.WARM_NS);

    assertThat(found).isEmpty();
    assertThat(task.debt.ns()).isZero();
  }

  /** Who reports may wait for the JVM, and the JVM for a task that still has its priority. */
  @Test
  void shouldTakeThePrioritiesOfAllBeforeItReportsAny() {
    ManagedTask other = task();
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());
    supervisor.look(List.of(task, other), 0);
    usedNs = 7_001 * US;
    supervisor.look(List.of(task, other), 7_001 * US);

    assertThat(found).hasSize(4);
    assertThat(demotedAtFirstReport).isEqualTo(2);
  }

  @Test
  void shouldBeginAnewWithTheNextRelease() {
    lookWhileRunning(0, 700);
    lookWhileRunning(0, 2_300);
    subject.running = new RunningRelease(WARM + 1, 0, 2_400 * US, Thread.currentThread());
    usedNs += 600 * US;
    supervisor.look(List.of(task), 3_000 * US);
    usedNs += 2_000 * US;
    supervisor.look(List.of(task), 5_000 * US);

    assertThat(found).containsExactly("overrun 2300", "overrun 2600");
    assertThat(task.overruns()).isEqualTo(2);
  }

  @Test
  void shouldLookAtNothingWhenNothingRuns() {
    supervisor.look(List.of(task), 1_000_000 * US);

    assertThat(found).isEmpty();
  }

  @Test
  void shouldLookAPeriodAfterARunningReleaseCanHaveUsedUpItsCost() {
    subject.running = new RunningRelease(WARM, 0, 100 * US, Thread.currentThread());

    assertThat(supervisor.look(List.of(task), 300 * US)).isEqualTo(100 * US + COST + PERIOD);
    assertThat(supervisor.look(List.of(task), 3_000 * US)).isEqualTo(3_000 * US + PERIOD);
  }

  @Test
  void shouldLookAPeriodAfterTheNextReleaseCanHaveUsedUpItsCost() {
    subject.nextDueNs = 7_000 * US;

    assertThat(supervisor.look(List.of(task), 0)).isEqualTo(7_000 * US + COST + PERIOD);
  }

  /** Its thread waits for the processor, or goes on to one that nothing is prepared for. */
  @Test
  void shouldLookAtEachPeriodForAReleaseThatIsDueAndHasNotBegun() {
    subject.nextDueNs = 7_000 * US;

    assertThat(supervisor.look(List.of(task), 7_000 * US)).isEqualTo(7_000 * US + PERIOD);
  }

  @Test
  void shouldLookAtEachPeriodForATaskThatIsNotReleasedByTime() {
    assertThat(supervisor.look(List.of(task), 0)).isEqualTo(PERIOD);
  }

  @Test
  void shouldLookAgainInTimeHoweverLateTheNextReleaseIs() {
    subject.nextDueNs = 3_600_000_000L * US;

    assertThat(supervisor.look(List.of(task), 0)).isEqualTo(Supervisor.MAX_GAP_NS);
  }

  @Test
  void shouldAskATaskThatWaitsForNothingUntilItIsDueUnlessOneHasChanged() {
    subject.nextDueNs = 7_000 * US;
    supervisor.look(List.of(task), 0);
    int asked = subject.asked;
    assertThat(supervisor.look(List.of(task), 6_999 * US)).isEqualTo(7_000 * US + COST + PERIOD);
    assertThat(subject.asked).isEqualTo(asked);

    task.admittedWith(10 * US);
    supervisor.forget();
    assertThat(supervisor.look(List.of(task), 6_999 * US)).isEqualTo(7_010 * US + PERIOD);
    assertThat(subject.asked).isEqualTo(asked + 1);
    supervisor.look(List.of(task), 7_000 * US);
    assertThat(subject.asked).as("it may run").isEqualTo(asked + 2);
  }

  /** A look at a task that is due at 1 ms, and the next one after it. */
  private long lookAtFrequentTask() {
    subject.running = null;
    task.admittedWith(10 * US);
    subject.nextDueNs = 1_000 * US;
    supervisor.forget();
    return supervisor.look(List.of(task), 900 * US);
  }

  @Test
  void shouldPutLooksOffWhereOthersHaveTimeToSpare() {
    assertThat(lookAtFrequentTask()).isEqualTo(1_010 * US + PERIOD);
    task.spareNs = 1_900 * US;
    assertThat(lookAtFrequentTask()).as("before that is over").isEqualTo(1_010 * US + 1_700 * US);
    task.spareNs = Long.MAX_VALUE;
    assertThat(lookAtFrequentTask()).isEqualTo(900 * US + 3 * PERIOD);
  }

  @Test
  void shouldNotPutLooksOffWhereTheClassHasNoGrace() {
    Profile exact =
        task.profile().in(AuthenticationClass.DEFAULT.withGraceNs(0)).withBudgetNs(10 * US);
    ManagedTask strict =
        new ManagedTask(
            exact, task.decision(), ManagedTask.State.ADMITTED, new CostSamples(1, null, true));
    strict.subject(subject);
    strict.spareNs = Long.MAX_VALUE;
    subject.nextDueNs = 1_000 * US;

    assertThat(supervisor.look(List.of(strict), 900 * US)).isEqualTo(1_010 * US + PERIOD);
  }

  /** What others can spare is spent; here until 10 ms, the longest deadline, have passed. */
  @Test
  void shouldNotPutLooksOffAfterAnOverrunUntilTheLongestDeadlineHasPassed() {
    AdmissionTest test = AdmissionTest.of(AdmissionTest.Kind.RESPONSE_TIMES);
    List<SpareTime.Placed> placed = List.of(new SpareTime.Placed(task, task.model()));
    spare.learn(spare.question(List.of(placed), test).answer(), List.of(task));
    assertThat(task.spareNs).as("nobody is below it").isEqualTo(TaskModel.MAX_NS);
    lookWhileRunning(0, 0);
    lookWhileRunning(0, 2_100);
    assertThat(spent).isEqualTo(1);

    subject.running = null;
    for (long nowUs : new long[] {3_000, 12_100}) {
      subject.nextDueNs = (nowUs + 100) * US;
      assertThat(supervisor.look(List.of(task), nowUs * US))
          .isEqualTo(subject.nextDueNs + COST + PERIOD);
    }
    task.admittedWith(10 * US);
    subject.nextDueNs = 22_000 * US;
    assertThat(supervisor.look(List.of(task), 21_900 * US)).isEqualTo(21_900 * US + 3 * PERIOD);
  }

  @Test
  void shouldNotPutLooksOffWhileCodeIsCold() {
    task.spareNs = Long.MAX_VALUE;
    code.begin();

    assertThat(lookAtFrequentTask()).isEqualTo(1_010 * US + PERIOD);
  }

  /** It may have exceeded its cost, or others have had the processor. */
  @Test
  void shouldNotPutLooksOffWhileAReleaseLastsLongerThanItsCost() {
    task.spareNs = Long.MAX_VALUE;
    lookWhileRunning(0, 0);
    subject.running = new RunningRelease(WARM, 0, 0, Thread.currentThread());

    assertThat(supervisor.look(List.of(task), 2_001 * US)).isEqualTo(2_001 * US + PERIOD);
  }

  @Test
  void shouldPutOffLooksAtATaskThatIsNotReleasedByTime() {
    task.spareNs = 2_000 * US;

    assertThat(supervisor.look(List.of(task), 0)).isEqualTo(1_000 * US);
  }

  @Test
  void shouldNotLookWhenThereIsNothingToLookAt() {
    task.become(ManagedTask.State.ENDED);

    assertThat(supervisor.look(List.of(task), 0)).isEqualTo(Supervisor.NEVER);
  }

  /** Lets a look prepare for a release, and one begin, at the time that it was due. */
  private void beginPreparedFor(long preparedUs, long dueUs) {
    subject.nextDueNs = preparedUs * US;
    supervisor.look(List.of(task), 0);
    subject.running = new RunningRelease(WARM, dueUs * US, dueUs * US, Thread.currentThread());
  }

  /** Others have the processor for 3 ms of the 4.8 that it lasts. */
  @Test
  void shouldMeasureFromTheBeginWhatIsSeenLate() {
    usedNs = 500 * US;
    beginPreparedFor(7_000, 7_000);
    usedNs = 500 * US + 1_800 * US;
    supervisor.look(List.of(task), 11_800 * US);
    assertThat(found).as("1.8 ms of 2").isEmpty();

    usedNs = 500 * US + 2_001 * US;
    supervisor.look(List.of(task), 12_600 * US);
    assertThat(found).containsExactly("overrun 2001");
    assertThat(spent).isEqualTo(1);
  }

  /** What the thread has taken to wait precisely is not the release's. */
  @Test
  void shouldNotChargeMoreThanARunningReleaseHasLasted() {
    beginPreparedFor(7_000, 7_000);
    usedNs = 9_000 * US;
    supervisor.look(List.of(task), 9_001 * US);

    assertThat(found).containsExactly("overrun 2001");
  }

  /** It may be the one after it, of which nothing is known. */
  @Test
  void shouldMeasureAnotherReleaseThanTheOnePreparedForFromTheFirstLookOn() {
    beginPreparedFor(7_000, 17_000);
    usedNs = 50_000 * US;
    supervisor.look(List.of(task), 19_500 * US);

    assertThat(found).as("1.6 ms, two periods, of 2").isEmpty();
    assertThat(spent).isZero();
  }
}
