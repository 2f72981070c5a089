package dev.takt.rtsj;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.Continuous;
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
import dev.takt.realtime.os.Sleeper;
import java.util.List;
import java.util.Objects;
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
  final Sleeper sleeper;
  final ReleaseTimer timer;
  private final ThreadMeter meter;
  private final ReleaseHandler onMiss;
  private final ReleaseHandler onOverrun;
  private final ReleaseHandler onAllocation;
  private final @Nullable ThreadFailureHandler onFailure;
  private final boolean measuresBytes;
  private final SingleWriterCounters counters = new SingleWriterCounters(NUMBERS);

  /** Of a thread without release parameters, too: then it counts nothing. */
  final ReleaseEngine releases;

  private final boolean hasReleases;

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
    ReleaseParameters parameters =
        Objects.requireNonNullElse(settings.parameters, Continuous.UNLIMITED);
    hasReleases = settings.parameters != null;
    ArrivalQueue arrivals = ArrivalQueue.of(parameters, settings.system);
    releases = new ReleaseEngine(thread, parameters, arrivals, meter, List.of(), this::failed);
  }

  /** Ends the release that runs, if one does, and waits for the next. */
  boolean next() {
    end();
    if (missUnreported) {
      missUnreported = false;
      return false;
    }
    if (!parameterized().awaitNext(timer)) {
      return false;
    }
    running = true;
    releases.begin(clock.nanoTime());
    bytesBefore = measuresBytes ? meter.allocatedBytes() : 0;
    return true;
  }

  /** Returns the releases, if the thread has release parameters; any thread. */
  ReleaseEngine parameterized() {
    if (!hasReleases) {
      throw new IllegalStateException(
          "thread "
              + thread.name()
              + " has no release parameters (remedy: builder(..).release(Periodic.ofNs(..)))");
    }
    return releases;
  }

  /** Ends the release that runs, if one does, and calls the handlers of what was wrong with it. */
  void end() {
    if (!running) {
      return;
    }
    running = false;
    long bytes = measuresBytes ? meter.allocatedBytes() - bytesBefore : 0;
    releases.end(clock.nanoTime(), ReleaseOutcome.COMPLETED);
    if (bytes > 0) {
      counters.add(ALLOCATING, 1);
      counters.add(ALLOCATED_BYTES, bytes);
      call(onAllocation, bytes);
    }
    call(onOverrun, releases.overBudgetNs());
    long tardinessNs = releases.tardinessNs();
    missUnreported =
        tardinessNs > 0
            && onMiss == ReleaseHandler.NONE
            && releases.parameters() instanceof Periodic each
            && each.latePolicy() == LatePolicy.CATCH_UP;
    call(onMiss, tardinessNs);
  }

  private void call(ReleaseHandler handler, long excess) {
    if (excess <= 0) {
      return;
    }
    try {
      handler.handle(thread, releases.releases(), excess);
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Counts and reports what the body, the program or a handler has thrown. */
  void failed(Throwable failure) {
    counters.add(FAILURES, 1);
    try {
      if (onFailure != null) {
        onFailure.onFailure(thread, releases.releases(), failure);
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
    RunningRelease release = releases.running();
    return release == null
        ? 0
        : Math.max(0, releases.parameters().tardinessNs(release.dueNs(), clock.nanoTime()));
  }

  boolean isPeriodic() {
    return releases.parameters() instanceof Periodic;
  }

  /** Whether the bytes of releases are to be measured, and cannot be. */
  boolean lacksByteMeter() {
    return measuresBytes && meter.allocatedBytes() == ThreadMeter.UNKNOWN;
  }

  /** Any thread. */
  ReleaseCounts counts() {
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
