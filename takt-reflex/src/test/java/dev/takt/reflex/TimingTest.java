package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.RunningRelease;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Periods, phases, deadlines and budgets, by a clock that only the one active task moves: fully
 * reproducible.
 */
class TimingTest {
  /**
   * Time passes when someone sleeps or works; looking at it costs a nanosecond, so that spinning
   * ends.
   */
  private static final class WorkClock implements NanoClock {
    private long nowNs = 1_000_000_000;

    @Override
    public synchronized long nanoTime() {
      return ++nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      pass(durationNs);
    }

    /** Makes the next look return this. */
    synchronized void next(long timeNs) {
      nowNs = timeNs - 1;
    }

    synchronized long peek() {
      return nowNs;
    }

    synchronized void pass(long durationNs) {
      nowNs += durationNs;
    }
  }

  record Seen(
      String task,
      long number,
      long scheduledNs,
      long startNs,
      long endNs,
      ReleaseOutcome outcome,
      long tardinessNs,
      long overBudgetNs) {
    Seen(EndedRelease release) {
      this(
          release.subject().name(),
          release.number(),
          release.dueNs(),
          release.beginNs(),
          release.endNs(),
          release.outcome(),
          release.tardinessNs(),
          release.overBudgetNs());
    }
  }

  private final WorkClock clock = new WorkClock();
  private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(
          space,
          Settings.FOR_TESTS
              .withClock(clock)
              .withListeners(release -> seen.add(new Seen(release))));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  /** Runs {@code works.length} releases that work for so long each, then idles. */
  private TaskControl run(Schedule schedule, long... works) {
    AtomicInteger next = new AtomicInteger();
    TaskControl control =
        runtime.active(
            "task",
            new Scripted(
                task -> {
                  int at = next.getAndIncrement();
                  if (at < works.length) {
                    clock.pass(works[at]);
                  } else {
                    // Enough seen: leave the clock to itself until the test stops the runtime.
                    Await.until("the end of the test", runtime::isStopped);
                  }
                }),
            schedule);
    runtime.start();
    Await.until("the releases", () -> next.get() > works.length);
    return control;
  }

  @Test
  void shouldReleaseAtPhaseAndThenEveryPeriod() {
    long beforeNs = clock.nanoTime();
    run(Schedule.of(Periodic.ofNs(1_000_000).withPhaseNs(300_000)), 10, 500_000, 10, 900_000);
    for (int i = 1; i < 4; i++) {
      assertThat(seen.get(i).scheduledNs - seen.get(i - 1).scheduledNs).isEqualTo(1_000_000);
    }
    assertThat(seen.get(0).scheduledNs - beforeNs).isBetween(300_000L, 300_100L);
    assertThat(seen.subList(0, 4)).allMatch(release -> release.startNs >= release.scheduledNs);
    assertThat(seen.subList(0, 4)).allMatch(release -> release.startNs - release.scheduledNs < 100);
  }

  @Test
  void shouldCountMissesPastDeadlineAndOverrunsPastBudget() {
    TaskControl control =
        run(
            Schedule.periodic(1_000_000).deadlineNs(400_000).budgetNs(200_000),
            100_000,
            300_000,
            450_000,
            100_000);
    TaskStats stats = control.stats();
    assertThat(stats.misses()).isEqualTo(1);
    assertThat(stats.overruns()).isEqualTo(2);
    assertThat(seen).extracting(Seen::number).startsWith(1L, 2L, 3L, 4L);
    assertThat(seen.subList(0, 4))
        .extracting(release -> release.tardinessNs > 0)
        .containsExactly(false, false, true, false);
    assertThat(seen.subList(0, 4))
        .extracting(release -> release.overBudgetNs > 0)
        .containsExactly(false, true, true, false);
  }

  @Test
  void shouldMeasureDeadlineFromTheReleaseTimeAlsoWhenTheReleaseBeginsLate() {
    TaskControl control = run(Schedule.periodic(1_000_000), 1_200_000, 900_000, 10);
    assertThat(seen.get(1).endNs - seen.get(1).startNs).isLessThan(1_000_000);
    assertThat(control.stats().misses()).isEqualTo(2);
  }

  @Test
  void shouldCountNoMissWhenTheReleaseEndsExactlyAtItsDeadline() {
    long periodNs = 1_000_000;
    AtomicInteger next = new AtomicInteger();
    TaskControl control =
        runtime.active(
            "task",
            new Scripted(
                task -> {
                  int at = next.getAndIncrement();
                  if (at == 1 || at == 2) {
                    clock.next(seen.getFirst().scheduledNs + at * periodNs + 400_000 + at - 1);
                  } else if (at > 2) {
                    Await.until("the end of the test", runtime::isStopped);
                  }
                }),
            Schedule.periodic(periodNs).deadlineNs(400_000));
    runtime.start();
    Await.until("the releases", () -> next.get() > 3);
    assertThat(seen.get(1).endNs - seen.get(1).scheduledNs).isEqualTo(400_000);
    assertThat(seen.get(2).endNs - seen.get(2).scheduledNs).isEqualTo(400_001);
    assertThat(control.stats().misses()).isEqualTo(1);
  }

  @Test
  void shouldBeginContinuousReleasesAtPhaseAndNoLongerWait() {
    long beforeNs = clock.nanoTime();
    TaskControl control = run(Schedule.of(Continuous.UNLIMITED.withPhaseNs(300_000)), 10, 10);
    assertThat(seen.get(0).startNs - beforeNs).isBetween(300_000L, 300_200L);
    assertThat(seen.get(1).startNs - seen.get(0).endNs).isBetween(1L, 100L);
    assertThat(seen).allMatch(release -> release.startNs == release.scheduledNs);
    assertThat(control.stats().misses()).isZero();
  }

  @Test
  void shouldCountNoOverrunWhenTheReleaseLastsExactlyItsBudget() {
    // What a release works, and the nanoseconds of two looks at the clock: for its processor time,
    // which by this clock is all that passes, at its begin, and for the time at its end.
    TaskControl control =
        run(Schedule.periodic(1_000_000).budgetNs(200_000), 199_997, 199_998, 199_999);
    assertThat(seen.subList(0, 3))
        .extracting(release -> release.endNs - release.startNs)
        .containsExactly(199_999L, 200_000L, 200_001L);
    assertThat(control.stats().overruns()).isEqualTo(1);
  }

  @Test
  void shouldCountMissesAndOverrunsWithoutListener() {
    ReflexRuntime unobserved = ReflexRuntime.create(space, Settings.FOR_TESTS.withClock(clock));
    AtomicInteger releases = new AtomicInteger();
    TaskControl hasDeadline =
        unobserved.active(
            "deadline",
            new Scripted(task -> workOnce(releases)),
            Schedule.continuous().deadlineNs(100_000));
    unobserved.start();
    Await.until("the releases", () -> releases.get() > 1);
    unobserved.close();
    assertThat(hasDeadline.stats().misses()).isEqualTo(1);
    ReflexRuntime another = ReflexRuntime.create(space, Settings.FOR_TESTS.withClock(clock));
    releases.set(0);
    TaskControl hasBudget =
        another.active(
            "budget",
            new Scripted(task -> workOnce(releases)),
            Schedule.continuous().budgetNs(100_000));
    another.start();
    Await.until("the releases", () -> releases.get() > 1);
    another.close();
    assertThat(hasBudget.stats().overruns()).isEqualTo(1);
  }

  private void workOnce(AtomicInteger releases) {
    if (releases.getAndIncrement() == 0) {
      clock.pass(100_001);
    }
  }

  @Test
  void shouldNotLookAtTheClockWhenNobodyAsksForTimes() {
    ReflexRuntime unobserved = ReflexRuntime.create(space, Settings.FOR_TESTS.withClock(clock));
    List<Long> times = Collections.synchronizedList(new ArrayList<>());
    unobserved.active(
        "task", new Scripted(task -> times.add(clock.peek())), Schedule.continuous().priority(7));
    unobserved.start();
    Await.until("the releases", () -> times.size() > 10);
    assertThat(unobserved.tasks()).extracting(TaskControl::priority).containsExactly(7);
    assertThat(unobserved.tasks().getFirst().stats().spunNs()).isZero();
    unobserved.close();
    assertThat(times.subList(1, 10)).containsOnly(times.getFirst());
  }

  @Test
  void shouldReleaseAgainWhatCommitsAlsoWhenItIsTimed() {
    ReflexRuntime other =
        ReflexRuntime.withoutSweep(
            space, Settings.FOR_TESTS.withClock(clock).withWorkers(1).withListeners(_ -> {}));
    Event any = new Event("a", null);
    TaskControl control =
        other.passive("one", new Scripted(any, task -> task.handle.next(task.into())), 10);
    for (int i = 0; i < 3; i++) {
      space.write(new Event("a", i));
    }
    other.start();
    Await.until("all events", () -> control.stats().commits() == 3);
    other.close();
    assertThat(control.stats().spunNs()).isZero();
  }

  @Test
  void shouldKeepItsPhaseWhenPeriodsWereSkipped() {
    run(Schedule.of(Periodic.ofNs(1_000_000).withPhaseNs(300_000)), 5_300_000, 10, 10);
    assertThat(seen.get(1).scheduledNs - seen.get(0).scheduledNs).isEqualTo(5_000_000);
    assertThat(seen.get(2).scheduledNs - seen.get(1).scheduledNs).isEqualTo(1_000_000);
  }

  @Test
  void shouldUsePeriodAsDeadlineByDefault() {
    TaskControl control = run(Schedule.periodic(1_000_000), 900_000, 999_000, 1_100_000, 10);
    assertThat(control.stats().misses()).isEqualTo(1);
    assertThat(control.stats().overruns()).isZero();
  }

  @Test
  void shouldReleaseLateWhenDeadlineCanStillBeMet() {
    run(Schedule.periodic(1_000_000), 1_200_000, 10);
    assertThat(seen.get(1).scheduledNs - seen.get(0).scheduledNs).isEqualTo(1_000_000);
    assertThat(seen.get(1).startNs - seen.get(1).scheduledNs).isBetween(200_000L, 200_100L);
  }

  @Test
  void shouldSkipPeriodsWhoseDeadlineHasPassedAndCountThem() {
    TaskControl control = run(Schedule.periodic(1_000_000), 5_300_000, 10);
    assertThat(seen.get(1).scheduledNs - seen.get(0).scheduledNs).isEqualTo(5_000_000);
    assertThat(control.stats().misses()).isEqualTo(1);
    // Those due at 1, 2, 3 and 4 ms, whose deadlines have passed by 5 ms.
    assertThat(control.stats().skipped()).isEqualTo(4);
    assertThat(control.stats().lateStarts()).isZero();
  }

  @Test
  void shouldNotifyListenerHowReleaseEnded() {
    AtomicInteger runs = new AtomicInteger();
    runtime.active(
        "task",
        new Scripted(
            task -> {
              switch (runs.getAndIncrement()) {
                case 0 -> task.doWrite(new Event("a", 1));
                case 1 -> task.doAbort();
                case 2 -> throw new IllegalStateException("wrong");
                default -> {}
              }
            }),
        Schedule.continuous());
    runtime.start();
    Await.until("three releases", () -> seen.size() >= 3);
    runtime.close();
    assertThat(seen.subList(0, 3))
        .extracting(Seen::outcome)
        .containsExactly(ReleaseOutcome.COMPLETED, ReleaseOutcome.ABORTED, ReleaseOutcome.FAILED);
  }

  @Test
  void shouldNotifyListenerWhenPassiveTaskWasFoundToHaveMatch() {
    Event any = new Event("a", null);
    TaskControl control =
        runtime.passive("passive", new Scripted(any, task -> task.handle.next(task.into())), 10);
    runtime.start();
    space.write(new Event("a", 1));
    Await.until("the first release", () -> seen.size() == 1);
    long beforeNs = clock.nanoTime();
    space.write(new Event("a", 2));
    Await.until("the second release", () -> seen.size() == 2);
    Seen release = seen.get(1);
    assertThat(release.scheduledNs).isGreaterThan(beforeNs);
    assertThat(release.startNs).isGreaterThan(release.scheduledNs);
    assertThat(control.stats().misses()).isZero();
    assertThat(control.stats().overruns()).isZero();
  }

  @Test
  void shouldGoOnWhenListenerThrows() {
    ReflexRuntime other =
        ReflexRuntime.create(
            space,
            Settings.FOR_TESTS.withListeners(
                _ -> {
                  throw new IllegalStateException("broken listener");
                }));
    TaskControl control = other.active("task", new Scripted(task -> {}), Schedule.continuous());
    other.start();
    Await.until("releases", () -> control.stats().commits() > 100);
    other.close();
    assertThat(control.failure()).hasMessage("broken listener");
    assertThat(control.stats().failures()).isZero();
  }

  @Test
  void shouldCountLateStartWhenReleaseBeginsAPeriodAfterItWasDue() {
    Periodic release = Periodic.ofNs(1_000_000).withDeadlineNs(5_000_000);
    TaskControl control = run(Schedule.of(release), 1_999_900, 10, 2_000_100, 10, 10);
    // The second begins 0.9999 ms after it was due, the fourth more than 1 ms.
    assertThat(control.stats().lateStarts()).isEqualTo(1);
    assertThat(control.stats().misses()).isZero();
    assertThat(control.stats().skipped()).isZero();
  }

  @Test
  void shouldCountMissesAndOverrunsOfPassiveTaskFromTheCommitThatMadeTheMatch() {
    Event any = new Event("a", null);
    TaskControl control =
        runtime.passive(
            "passive",
            new Scripted(
                any,
                task -> {
                  task.handle.next(task.into());
                  clock.pass(task.into().getLong("a"));
                }),
            Schedule.onMatch().deadlineNs(400_000).budgetNs(200_000));
    runtime.start();
    for (int workNs : new int[] {100_000, 300_000, 500_000}) {
      long before = control.stats().commits();
      space.write(new Event("a", workNs));
      Await.until("the release", () -> control.stats().commits() > before);
    }
    assertThat(runtime.drain(Duration.ofSeconds(60))).as("the last release has ended").isTrue();
    assertThat(control.stats().misses()).isEqualTo(1);
    assertThat(control.stats().overruns()).isEqualTo(2);
    assertThat(control.stats().lateStarts()).isZero();
  }

  @Test
  void shouldSeeReleaseThatRuns() {
    Event any = new Event("a", null);
    AtomicReference<RunningRelease> running = new AtomicReference<>();
    AtomicReference<TaskControl> control = new AtomicReference<>();
    control.set(
        runtime.passive(
            "passive",
            new Scripted(
                any,
                task -> {
                  task.handle.next(task.into());
                  running.set(control.get().running());
                }),
            Schedule.onMatch().deadlineNs(400_000)));
    runtime.start();
    assertThat(control.get().running()).isNull();
    space.write(new Event("a", 1));
    Await.until("the release", () -> seen.size() == 1);
    assertThat(running.get().number()).isEqualTo(1);
    assertThat(running.get().dueNs()).isEqualTo(seen.getFirst().scheduledNs);
    assertThat(running.get().beginNs()).isEqualTo(seen.getFirst().startNs);
    assertThat(running.get().thread().getName()).startsWith("takt-worker-");
    assertThat(control.get().running()).isNull();
  }
}
