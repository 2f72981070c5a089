package dev.takt.rtsj;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.PeriodicReleases;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.SingleWriterCounters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.Sleeper;
import org.jspecify.annotations.Nullable;

/**
 * The releases of one {@link RealtimeThread}, one after the other: waits for the next, measures it,
 * judges it when it has ended, tells the handlers.
 *
 * <p><b>Thread rule:</b> the thread itself, unless a method says otherwise. Allocates nothing,
 * unless a handler does or something fails.
 */
final class ReleaseCycle {
  static final int RELEASES = 0;
  static final int MISSES = 1;
  static final int OVERRUNS = 2;
  static final int SKIPPED = 3;
  static final int FAILURES = 4;
  static final int ALLOCATING = 5;
  static final int ALLOCATED_BYTES = 6;

  /**
   * Not a count: the release time of the release that runs; {@link ArrivalQueue#NONE}: none runs.
   */
  private static final int RUNNING_NS = 7;

  private static final int NUMBERS = 8;

  private final RealtimeThread thread;
  private final @Nullable ReleaseParameters parameters;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final ReleaseTimer timer;
  private final ThreadMeter meter;
  private final ReleaseHandler onMiss;
  private final ReleaseHandler onOverrun;
  private final ReleaseHandler onAllocation;
  private final @Nullable FailureHandler onFailure;
  private final boolean measuresTime;
  private final boolean measuresBytes;
  private final SingleWriterCounters counters = new SingleWriterCounters(NUMBERS);
  private final @Nullable ArrivalQueue arrivals;
  private @Nullable PeriodicReleases periodic;

  private long releaseNs;
  private long beginNs;
  private long usedBeforeNs;
  private long bytesBefore;
  private boolean missUntold;

  ReleaseCycle(RealtimeThread thread, RealtimeThreadBuilder settings) {
    this.thread = thread;
    parameters = settings.parameters;
    clock = settings.clock;
    meter = settings.meter();
    sleeper = clock.newSleeper();
    timer = new ReleaseTimer(clock, sleeper, settings.lead);
    onMiss = settings.onMiss;
    onOverrun = settings.onOverrun;
    onAllocation = settings.onAllocation;
    onFailure = settings.onFailure;
    measuresTime = parameters != null && parameters.budgetNs() > 0;
    measuresBytes = settings.kind == ThreadKind.NO_HEAP;
    counters.set(RUNNING_NS, ArrivalQueue.NONE);
    arrivals =
        switch (parameters) {
          case Sporadic sporadic -> new ArrivalQueue(sporadic, settings.system);
          case Aperiodic aperiodic -> new ArrivalQueue(aperiodic, settings.system);
          case null, default -> null;
        };
  }

  /** Says when time begins; before the thread starts. */
  void begin(long originNs) {
    if (parameters instanceof Periodic each) {
      periodic = new PeriodicReleases(each, originNs);
    }
  }

  /** Ends the release that runs, if one does, and waits for the next. */
  boolean next() {
    end();
    if (missUntold) {
      missUntold = false;
      return false;
    }
    if (!await()) {
      return false;
    }
    counters.add(RELEASES, 1);
    counters.set(RUNNING_NS, releaseNs);
    beginNs = clock.nanoTime();
    usedBeforeNs = measuresTime ? meter.usedNs() : 0;
    bytesBefore = measuresBytes ? meter.allocatedBytes() : 0;
    return true;
  }

  private boolean await() {
    PeriodicReleases byTime = periodic;
    if (byTime != null) {
      releaseNs = byTime.nextNs();
      return timer.await(releaseNs);
    }
    ArrivalQueue queue = arrivals;
    if (queue == null) {
      throw new IllegalStateException(
          "thread "
              + thread.name()
              + " has no release parameters (remedy: builder(..).release(Periodic.ofNs(..)))");
    }
    return awaitArrival(queue);
  }

  private boolean awaitArrival(ArrivalQueue queue) {
    while (!timer.isCancelled() && !Thread.currentThread().isInterrupted()) {
      long nextNs = queue.nextNs();
      if (nextNs == ArrivalQueue.NONE) {
        sleeper.sleep();
      } else if (timer.await(nextNs)) {
        // While it waited, a later arrival may have taken the place of the one it waited for.
        long polledNs = queue.poll(clock.nanoTime());
        if (polledNs != ArrivalQueue.NONE) {
          releaseNs = polledNs;
          return true;
        }
      }
    }
    return false;
  }

  /** Ends the release that runs, if one does: counts what was wrong with it, tells the handlers. */
  void end() {
    ReleaseParameters limits = parameters;
    if (limits == null || counters.get(RUNNING_NS) == ArrivalQueue.NONE) {
      return;
    }
    long bytes = measuresBytes ? meter.allocatedBytes() - bytesBefore : 0;
    long usedNs = measuresTime ? meter.usedNs() - usedBeforeNs : 0;
    long endNs = clock.nanoTime();
    counters.set(RUNNING_NS, ArrivalQueue.NONE);
    long skipped = periodic == null ? 0 : periodic.end(endNs);
    if (skipped > 0) {
      counters.add(SKIPPED, skipped);
    }
    if (bytes > 0) {
      counters.add(ALLOCATED_BYTES, bytes);
    }
    tell(ALLOCATING, onAllocation, bytes);
    tell(OVERRUNS, onOverrun, limits.overBudgetNs(usedNs));
    long lateNs = limits.lateNs(releaseNs, endNs);
    missUntold = lateNs > 0 && onMiss == ReleaseHandler.NONE && catchesUp();
    tell(MISSES, onMiss, lateNs);
  }

  private boolean catchesUp() {
    return parameters instanceof Periodic each && each.latePolicy() == LatePolicy.CATCH_UP;
  }

  private void tell(int counter, ReleaseHandler handler, long excess) {
    if (excess <= 0) {
      return;
    }
    counters.add(counter, 1);
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
      // There is nobody left to tell.
    }
  }

  /** Brings an arrival; any thread. */
  Arrival arrive() {
    ArrivalQueue queue = arrivals;
    if (queue == null) {
      throw new IllegalStateException(
          "thread " + thread.name() + " is not released by arrivals (remedy: release(Sporadic..))");
    }
    Arrival arrival = queue.arrive(clock.nanoTime());
    if (arrival.isQueued()) {
      sleeper.wake();
    } else if (arrival.isRefused()) {
      throw new ArrivalException(
          arrival, "thread " + thread.name() + ": arrival " + arrival + " with " + parameters);
    }
    return arrival;
  }

  /** How long the release that runs is past its deadline; any thread. */
  long overdueNs() {
    long running = counters.get(RUNNING_NS);
    ReleaseParameters limits = parameters;
    return running == ArrivalQueue.NONE || limits == null
        ? 0
        : Math.max(0, limits.lateNs(running, clock.nanoTime()));
  }

  boolean isPeriodic() {
    return parameters instanceof Periodic;
  }

  /** Whether the bytes of releases are to be measured, and cannot be. */
  boolean lacksByteMeter() {
    return measuresBytes && meter.allocatedBytes() == ThreadMeter.UNKNOWN;
  }

  /** Why the processor time of releases is not judged; null: it is, or there is none. */
  @Nullable Shortfall budgetShortfall() {
    return measuresTime ? meter.budgetShortfall(thread.name()) : null;
  }

  /** The number of the present release, from 1; any thread. */
  long releaseNumber() {
    return counters.get(RELEASES);
  }

  long releaseNs() {
    return releaseNs;
  }

  long beginNs() {
    return beginNs;
  }

  Sleeper sleeper() {
    return sleeper;
  }

  ReleaseTimer timer() {
    return timer;
  }

  /** Any thread. */
  ReleaseCounts counts() {
    return new ReleaseCounts(
        counters.get(RELEASES),
        counters.get(MISSES),
        counters.get(OVERRUNS),
        counters.get(SKIPPED),
        counters.get(FAILURES),
        counters.get(ALLOCATING),
        counters.get(ALLOCATED_BYTES),
        arrivals(Arrival.ACCEPTED),
        arrivals(Arrival.SAVED),
        arrivals(Arrival.REPLACED),
        arrivals(Arrival.IGNORED),
        arrivals(Arrival.REFUSED_TOO_SOON) + arrivals(Arrival.REFUSED_FULL),
        timer.spunNs(),
        timer.sleptNs());
  }

  private long arrivals(Arrival arrival) {
    return arrivals == null ? 0 : arrivals.count(arrival);
  }
}
