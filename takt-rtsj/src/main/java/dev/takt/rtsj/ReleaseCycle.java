package dev.takt.rtsj;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseOutcome;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.RunningRelease;
import dev.takt.realtime.SingleWriterCounters;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.Sleeper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The releases of one {@link RealtimeThread}: what a thread has besides the {@link ReleaseEngine},
 * a timer to wait with, the bytes that a release allocates, and handlers.
 *
 * <p><b>Thread rule:</b> the thread itself, unless a method says otherwise. Allocates nothing,
 * unless a handler does or something fails.
 */
final class ReleaseCycle {
  private static final int FAILURES = 0;
  private static final int ALLOCATING = 1;
  private static final int ALLOCATED_BYTES = 2;
  private static final int NUMBERS = 3;

  private final RealtimeThread thread;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final ReleaseTimer timer;
  private final ThreadMeter meter;
  private final ReleaseHandler onMiss;
  private final ReleaseHandler onOverrun;
  private final ReleaseHandler onAllocation;
  private final @Nullable FailureHandler onFailure;
  private final boolean measuresBytes;
  private final SingleWriterCounters counters = new SingleWriterCounters(NUMBERS);

  /** Null: the thread has no releases. */
  private final @Nullable ReleaseEngine releases;

  private boolean running;
  private long bytesBefore;
  private boolean missUnreported;

  ReleaseCycle(RealtimeThread thread, RealtimeThreadBuilder settings) {
    this.thread = thread;
    clock = settings.clock;
    meter = settings.meter();
    sleeper = clock.newSleeper();
    timer = new ReleaseTimer(clock, sleeper, settings.lead);
    onMiss = settings.onMiss;
    onOverrun = settings.onOverrun;
    onAllocation = settings.onAllocation;
    onFailure = settings.onFailure;
    measuresBytes = settings.kind == ThreadKind.NO_HEAP;
    ReleaseParameters parameters = settings.parameters;
    releases =
        parameters == null
            ? null
            : new ReleaseEngine(
                thread,
                parameters,
                ArrivalQueue.of(parameters, settings.system),
                meter,
                List.of(),
                this::failed);
  }

  /** Sets when time begins; before the thread starts. */
  void begin(long originNs) {
    if (releases != null) {
      releases.start(originNs);
    }
  }

  /** Ends the release that runs, if one does, and waits for the next. */
  boolean next() {
    end();
    if (missUnreported) {
      missUnreported = false;
      return false;
    }
    ReleaseEngine releases = engine();
    if (!releases.awaitNext(timer)) {
      return false;
    }
    running = true;
    releases.begin(clock.nanoTime());
    bytesBefore = measuresBytes ? meter.allocatedBytes() : 0;
    return true;
  }

  /** Returns the releases; any thread. */
  ReleaseEngine engine() {
    if (releases == null) {
      throw new IllegalStateException(
          "thread "
              + thread.name()
              + " has no release parameters (remedy: builder(..).release(Periodic.ofNs(..)))");
    }
    return releases;
  }

  /** Returns the release that runs now, or null; any thread. */
  @Nullable RunningRelease running() {
    return releases == null ? null : releases.running();
  }

  /** Ends the release that runs, if one does, and calls the handlers of what was wrong with it. */
  void end() {
    ReleaseEngine releases = this.releases;
    if (releases == null || !running) {
      return;
    }
    running = false;
    long bytes = measuresBytes ? meter.allocatedBytes() - bytesBefore : 0;
    releases.end(clock.nanoTime(), ReleaseOutcome.COMMITTED);
    if (bytes > 0) {
      counters.add(ALLOCATING, 1);
      counters.add(ALLOCATED_BYTES, bytes);
      call(onAllocation, bytes);
    }
    call(onOverrun, releases.overBudgetNs());
    long lateNs = releases.lateNs();
    missUnreported =
        lateNs > 0
            && onMiss == ReleaseHandler.NONE
            && releases.parameters() instanceof Periodic each
            && each.latePolicy() == LatePolicy.CATCH_UP;
    call(onMiss, lateNs);
  }

  private void call(ReleaseHandler handler, long excess) {
    if (excess <= 0) {
      return;
    }
    try {
      handler.handle(thread, releaseNumber(), excess);
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Counts and reports what the body, the program or a handler has thrown. */
  void failed(Throwable failure) {
    counters.add(FAILURES, 1);
    try {
      if (onFailure != null) {
        onFailure.handle(thread, releaseNumber(), failure);
      } else {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, failure);
      }
    } catch (Throwable _) {
      // There is nothing left to report it to.
    }
  }

  /** Brings an arrival; any thread. */
  Arrival arrive() {
    if (releases == null) {
      throw new IllegalStateException(
          "thread " + thread.name() + " is not released by arrivals (remedy: release(Sporadic..))");
    }
    Arrival arrival = releases.arrive(clock.nanoTime());
    if (arrival.isQueued()) {
      sleeper.wake();
    } else if (arrival.isRefused()) {
      throw new ArrivalException(
          arrival,
          "thread " + thread.name() + ": arrival " + arrival + " with " + releases.parameters());
    }
    return arrival;
  }

  /** Returns how long the release that runs is past its deadline; any thread. */
  long overdueNs() {
    RunningRelease release = running();
    return release == null
        ? 0
        : Math.max(0, engine().parameters().lateNs(release.dueNs(), clock.nanoTime()));
  }

  boolean isPeriodic() {
    return releases != null && releases.parameters() instanceof Periodic;
  }

  /** Whether the bytes of releases are to be measured, and cannot be. */
  boolean lacksByteMeter() {
    return measuresBytes && meter.allocatedBytes() == ThreadMeter.UNKNOWN;
  }

  /** Why the processor time of releases is not judged; null: it is, or there is no budget. */
  @Nullable Shortfall budgetShortfall() {
    return releases == null ? null : releases.shortfall();
  }

  /** The number of the present release, from 1; any thread. */
  long releaseNumber() {
    return releases == null ? 0 : releases.releases();
  }

  long releaseNs() {
    return releases == null ? 0 : releases.dueNs();
  }

  long beginNs() {
    return releases == null ? 0 : releases.beginNs();
  }

  Sleeper sleeper() {
    return sleeper;
  }

  ReleaseTimer timer() {
    return timer;
  }

  /** Any thread. */
  ReleaseCounts counts() {
    ReleaseEngine releases = this.releases;
    if (releases == null) {
      long failures = counters.get(FAILURES);
      return new ReleaseCounts(0, 0, 0, 0, 0, failures, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    return new ReleaseCounts(
        releases.releases(),
        releases.lateStarts(),
        releases.misses(),
        releases.overruns(),
        releases.skipped(),
        counters.get(FAILURES),
        counters.get(ALLOCATING),
        counters.get(ALLOCATED_BYTES),
        releases.count(Arrival.ACCEPTED),
        releases.count(Arrival.SAVED),
        releases.count(Arrival.REPLACED),
        releases.count(Arrival.IGNORED),
        releases.count(Arrival.REFUSED_TOO_SOON) + releases.count(Arrival.REFUSED_FULL),
        timer.spunNs(),
        timer.sleptNs());
  }
}
