package dev.takt.testkit;

import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.Sporadic;
import java.util.ArrayList;
import java.util.List;

/**
 * What must become of arrivals, written from the definitions: all release times that ever were, and
 * how many of them have been taken.
 */
final class ArrivalModel {
  private final Sporadic parameters;
  private final List<Long> releaseNs = new ArrayList<>();
  private int taken;

  ArrivalModel(Sporadic parameters) {
    this.parameters = parameters;
  }

  Arrival arrive(long nowNs) {
    boolean tooSoon =
        !releaseNs.isEmpty() && nowNs < releaseNs.getLast() + parameters.minInterarrivalNs();
    boolean full = releaseNs.size() - taken == parameters.queueCapacity();
    if (tooSoon) {
      switch (parameters.tooSoon()) {
        case EXCEPT -> {
          return Arrival.REFUSED_TOO_SOON;
        }
        case IGNORE -> {
          return Arrival.IGNORED;
        }
        case REPLACE -> {
          return replace(nowNs);
        }
        case SAVE -> {}
      }
    }
    if (full) {
      return switch (parameters.whenFull()) {
        case EXCEPT -> Arrival.REFUSED_FULL;
        case IGNORE -> Arrival.IGNORED;
        case REPLACE -> replace(nowNs);
        case SAVE -> throw new AssertionError("a queue does not grow");
      };
    }
    if (tooSoon) {
      releaseNs.add(releaseNs.getLast() + parameters.minInterarrivalNs());
      return Arrival.SAVED;
    }
    releaseNs.add(nowNs);
    return Arrival.ACCEPTED;
  }

  /** The newest one that waits and the new one become one, at the later time. */
  private Arrival replace(long nowNs) {
    if (taken == releaseNs.size()) {
      return Arrival.IGNORED;
    }
    releaseNs.set(releaseNs.size() - 1, Math.max(releaseNs.getLast(), nowNs));
    return Arrival.REPLACED;
  }

  long poll(long nowNs) {
    return nextNs() == ArrivalQueue.NONE || nextNs() > nowNs
        ? ArrivalQueue.NONE
        : releaseNs.get(taken++);
  }

  long nextNs() {
    return taken == releaseNs.size() ? ArrivalQueue.NONE : releaseNs.get(taken);
  }

  /** All parameters that are small: intervals, capacities, policies. */
  static List<Sporadic> smallParameters(long maxIntervalNs, int maxCapacity) {
    List<Sporadic> result = new ArrayList<>();
    for (long intervalNs = 1; intervalNs <= maxIntervalNs; intervalNs++) {
      for (int capacity = 1; capacity <= maxCapacity; capacity++) {
        for (QueuePolicy tooSoon : QueuePolicy.values()) {
          for (QueuePolicy whenFull : QueuePolicy.values()) {
            if (whenFull != QueuePolicy.SAVE) {
              result.add(new Sporadic(intervalNs, intervalNs, 0, capacity, tooSoon, whenFull));
            }
          }
        }
      }
    }
    return result;
  }
}
