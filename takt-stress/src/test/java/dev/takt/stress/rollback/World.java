package dev.takt.stress.rollback;

import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.EventSpace;
import dev.takt.stress.rollback.graph.Case;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One task with a graph, which is changed by one release after the other; after each of them the
 * graph is compared: with what it was, if the release was undone; with that of plain Java, to which
 * the same was done, if it committed.
 *
 * <p>Everything follows from the seed, except where the last release is stopped, if it is an
 * endless one.
 */
final class World implements ReleaseListener {
  private static final int TRANSIENT_BYTES = 8_192;
  private static final int STABLE_BYTES = 262_144;
  private static final int MAX_STEPS = 16;

  /** Long, since machines that run tests are busy; stopping takes a millisecond. */
  private static final long STOP_GRACE_NS = 60_000_000_000L;

  private final GraphLoader woven;
  private final ReflexTask task;
  private final ReflexTask modelTask;
  private final Steps model;
  private final Tally tally;
  private final SplittableRandom random;
  private final int cases;
  private final boolean endless;
  private final CountDownLatch done = new CountDownLatch(1);

  private Snapshot before = new Snapshot();
  private Snapshot now = new Snapshot();
  private final Snapshot expected = new Snapshot();

  private long seed;
  private int steps;
  private int end = Case.IDLE;
  private int checked;
  private volatile String failure;

  World(GraphLoader woven, GraphLoader plain, long seed, int cases, boolean endless, Tally tally)
      throws ReflectiveOperationException {
    this.woven = woven;
    this.cases = cases;
    this.endless = endless;
    this.tally = tally;
    random = new SplittableRandom(seed);
    long graphSeed = random.nextLong();
    task = woven.newTask(graphSeed, TRANSIENT_BYTES, STABLE_BYTES);
    modelTask = plain.newTask(graphSeed, TRANSIENT_BYTES, STABLE_BYTES);
    model = plain.graphOf(modelTask);
  }

  /** Runs all cases; returns what went wrong, or null. */
  String run(EventSpace space) throws InterruptedException {
    before.take(task);
    if (!before.isSameAs(expected.take(modelTask))) {
      return "at the start " + before.difference(expected);
    }
    RuntimeSettings settings =
        RuntimeSettings.DEFAULTS
            .withWarmUpNs(0)
            .withMaxFailures(Integer.MAX_VALUE)
            .withStopGraceNs(STOP_GRACE_NS)
            .withListeners(this);
    woven.next(0, 0, 0, Case.IDLE);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      TaskControl control = runtime.active("graph", task, Schedule.continuous());
      runtime.start();
      while (!done.await(100, TimeUnit.MILLISECONDS)) {
        if (control.isStopped()) {
          return "the task has stopped: " + control.failure();
        }
      }
      if (endless && failure == null) {
        stopInTheMiddle(runtime, control);
      }
    }
    return failure;
  }

  private void stopInTheMiddle(ReflexRuntime runtime, TaskControl control) {
    long releases = control.stats().releases();
    woven.next(random.nextLong(), 0, random.nextInt(MAX_STEPS), Case.ENDLESS);
    while (control.stats().releases() < releases + 2) {
      Thread.onSpinWait();
    }
    if (!runtime.stop(Duration.ofMillis(1))) {
      failure = "an endless release could not be stopped";
    } else if (!now.take(task).isSameAs(before)) {
      failure = "after it was stopped, " + now.difference(before);
    } else {
      tally.count(Case.ENDLESS, ReleaseOutcome.FAILED);
    }
  }

  @Override
  public void onEnd(EndedRelease release) {
    if (done.getCount() == 0) {
      return;
    }
    if (end != Case.IDLE) {
      check(release.outcome());
    }
    if (failure != null || checked == cases) {
      end = Case.IDLE;
      woven.next(0, 0, 0, end);
      done.countDown();
    } else {
      seed = random.nextLong();
      steps = random.nextInt(MAX_STEPS);
      end = chooseEnd(random.nextInt(1_000));
      woven.next(seed, steps, random.nextInt(MAX_STEPS), end);
    }
  }

  private void check(ReleaseOutcome outcome) {
    checked++;
    tally.count(end, outcome);
    now.take(task);
    if (outcome == ReleaseOutcome.COMPLETED) {
      long next = seed;
      for (int i = 0; i < steps; i++) {
        next = Case.next(next);
        model.step(next);
      }
      expected.take(modelTask);
      if (end != Case.COMMIT && end != Case.CONFLICT_ONCE) {
        fail(outcome, "should have been undone");
      } else if (!now.isSameAs(expected)) {
        fail(outcome, now.difference(expected));
      }
    } else if (!now.isSameAs(before)) {
      fail(outcome, now.difference(before));
    }
    Snapshot old = before;
    before = now;
    now = old;
  }

  private void fail(ReleaseOutcome outcome, String what) {
    failure = "case " + checked + ", end " + end + ", " + outcome + ": " + what;
  }

  private static int chooseEnd(int chance) {
    int[] upTo = {430, 550, 670, 730, 830, 880, 910, 915, 916};
    int[] ends = {
      Case.COMMIT,
      Case.ABORT,
      Case.THROW,
      Case.FAULT,
      Case.CONFLICT_ONCE,
      Case.CONFLICT_ALWAYS,
      Case.EXHAUST_TRANSIENT,
      Case.EXHAUST_STABLE,
      Case.OVERFLOW
    };
    for (int i = 0; i < upTo.length; i++) {
      if (chance < upTo[i]) {
        return ends[i];
      }
    }
    return Case.COMMIT;
  }
}
