package dev.takt.rtsj.event;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.Shortfall;
import org.jspecify.annotations.Nullable;

/**
 * The releases of a handler that has {@link ReleaseParameters}: which fires become releases, when
 * they may begin, and whether they ended in time and within their budget.
 *
 * <p><b>Invariant.</b> The queue never holds fewer arrivals than the handler has pending fires: an
 * arrival is queued before its fire is counted, and taken out after the fire was claimed or taken.
 *
 * <p><b>Thread rule.</b> {@link #begin} and {@link #end} are for the thread that runs the handler;
 * the rest is for any thread. Nothing allocates.
 */
final class HandlerReleases {
  private final ReleaseParameters parameters;
  private final ArrivalQueue queue;
  private final NanoClock clock;
  private final ThreadMeter meter;

  private long releaseNs;
  private long usedNs;
  private volatile long misses;
  private volatile long overruns;

  HandlerReleases(ReleaseParameters parameters, NanoClock clock) {
    this(parameters, clock, ThreadMeter.of(clock));
  }

  HandlerReleases(ReleaseParameters parameters, NanoClock clock, ThreadMeter meter) {
    this.parameters = parameters;
    this.queue =
        switch (parameters) {
          case Sporadic sporadic -> new ArrivalQueue(sporadic, OperatingSystems.current());
          case Aperiodic aperiodic -> new ArrivalQueue(aperiodic, OperatingSystems.current());
          default ->
              throw new IllegalArgumentException(
                  "release="
                      + parameters
                      + " (expected: Sporadic or Aperiodic; what is periodic is the timer that"
                      + " fires the event)");
        };
    this.clock = clock;
    this.meter = meter;
  }

  /** Queues a fire, if its policy says so. */
  Arrival arrive() {
    return queue.arrive(clock.nanoTime());
  }

  /** Returns how long it takes until the next release may begin; 0: it may now, or none waits. */
  long dueInNs() {
    long nextNs = queue.nextNs();
    return nextNs == ArrivalQueue.NONE ? 0 : Math.max(0, nextNs - clock.nanoTime());
  }

  /**
   * Begins a release.
   *
   * @return false if its time has not come: somebody else has taken the one that was due
   */
  boolean begin() {
    long polledNs = queue.poll(clock.nanoTime());
    if (polledNs == ArrivalQueue.NONE) {
      return false;
    }
    releaseNs = polledNs;
    usedNs = parameters.budgetNs() == 0 ? 0 : meter.usedNs();
    return true;
  }

  /** Ends a release and judges it. */
  void end() {
    if (parameters.lateNs(releaseNs, clock.nanoTime()) > 0) {
      misses = misses + 1;
    }
    if (parameters.budgetNs() != 0 && parameters.overBudgetNs(meter.usedNs() - usedNs) > 0) {
      overruns = overruns + 1;
    }
  }

  /** Takes out the oldest arrivals, whose fires were taken without a release. */
  void drop(long count) {
    queue.dropOldest(count);
  }

  /** Returns why overruns are not counted; null: they are, or there is no budget. */
  @Nullable Shortfall shortfall(String name) {
    return parameters.budgetNs() == 0 ? null : meter.budgetShortfall(name);
  }

  long misses() {
    return misses;
  }

  long overruns() {
    return overruns;
  }

  long count(Arrival arrival) {
    return queue.count(arrival);
  }
}
