package dev.takt.bench.tasks;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.RunningRelease;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * A supervisor that polls {@link TaskControl#running()} sees releases, first some that then end,
 * then some that it aborts. All threads are ordinary ones.
 *
 * @param aborts how many releases are aborted that count, after half as many that do not; ten times
 *     as many are only seen, which takes a fraction of the time
 */
public record SupervisionRun(int aborts) implements ChildRun.Body<SupervisionRun.Times> {
  /** The key of the event that begins a release. */
  static final String KEY = "go";

  private static final int SEEN_PER_ABORT = 10;
  private static final long PERIOD_NS = 100_000;
  private static final int PRIORITY = 10;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * What was measured.
   *
   * @param ns {@code seen-active} and {@code seen-passive}: from the begin of a release until the
   *     supervisor has seen it; {@code aborted-active} and {@code aborted-passive}: from the call
   *     of {@link TaskControl#abortRelease} until the end of the release
   */
  public record Times(Map<String, Histogram> ns) {}

  @Override
  public Times run() throws InterruptedException {
    Map<String, Histogram> ns = new LinkedHashMap<>();
    for (String kind : List.of("active", "passive")) {
      Supervisor supervisor = new Supervisor();
      RuntimeSettings settings =
          RuntimeSettings.DEFAULTS.withWorkers(1).withWarmUpNs(0).withListeners(supervisor);
      try (ReflexRuntime runtime = ReflexRuntime.create(supervisor.space, settings)) {
        SupervisedTask supervised = new SupervisedTask(supervisor.mayEnd);
        TaskControl task =
            kind.equals("active")
                ? runtime.active(kind, supervised, Schedule.periodic(PERIOD_NS))
                : runtime.passive(kind, supervised, PRIORITY);
        runtime.start();
        ns.put("seen-" + kind, measured(SEEN_PER_ABORT * aborts, () -> supervisor.seenNs(task)));
        ns.put("aborted-" + kind, measured(aborts, () -> supervisor.abortedNs(task)));
      }
    }
    return new Times(ns);
  }

  private static Histogram measured(int count, LongSupplier timeNs) {
    Histogram times = Measurement.histogram();
    for (int i = -count / 2; i < count; i++) {
      long ns = timeNs.getAsLong();
      if (i >= 0) {
        times.recordValue(ns);
      }
    }
    return times;
  }

  /** Lets releases begin, and end in one of two ways; one thread. */
  private static final class Supervisor implements ReleaseListener {
    final EventSpace space = EventSpace.create();
    final AtomicBoolean mayEnd = new AtomicBoolean();
    private final Event go = new Event(KEY, 1);
    private final Event taken = new Event();
    private long last;
    private volatile long endNs;

    @Override
    public void onEnd(EndedRelease release) {
      endNs = release.endNs();
    }

    long seenNs(TaskControl task) {
      RunningRelease release = nextRelease(task);
      long seenNs = System.nanoTime();
      space.take(go, taken); // so that no other release begins
      mayEnd.set(true);
      endNs(seenNs);
      return seenNs - release.beginNs();
    }

    long abortedNs(TaskControl task) {
      nextRelease(task);
      space.take(go, taken);
      long fromNs = System.nanoTime();
      if (!task.abortRelease(LIMIT)) {
        throw new IllegalStateException("the release goes on: " + task.stats());
      }
      return endNs(fromNs) - fromNs;
    }

    private RunningRelease nextRelease(TaskControl task) {
      mayEnd.set(false);
      space.write(go);
      RunningRelease release = task.running();
      while (release == null || release.number() <= last) {
        if (task.isStopped()) {
          throw new IllegalStateException("it has stopped: " + task.stats(), task.failure());
        }
        Thread.onSpinWait();
        release = task.running();
      }
      last = release.number();
      return release;
    }

    /** Waits for an end after a moment, and returns when it was. */
    private long endNs(long fromNs) {
      while (endNs - fromNs < 0) {
        Thread.onSpinWait();
      }
      return endNs;
    }
  }
}
