package dev.takt.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds, from looks at the carriers, those that have carried the same virtual thread at each look
 * for too long: that has used processor time of the limit, or has stayed ten times as long without.
 * It takes times and looks; it neither waits nor looks itself.
 *
 * <p><b>Thread rule.</b> One thread. <b>Cost.</b> O(carriers) for each look.
 */
final class CarrierLooks {
  /**
   * So many looks must have seen that the carrier has worked since the look before: one that had no
   * processor in between has the same rider, however often that one yields.
   */
  static final int LOOKS_AT_WORK = 8;

  /** Without work: so many limits, since the carrier may only have had no processor. */
  static final int WAIT_LIMITS = 10;

  /** No virtual thread is on the carrier. */
  static final int NOBODY = 0;

  /**
   * What a look has seen of a carrier.
   *
   * @param carrierId its thread id
   * @param carrier its name
   * @param rider which virtual thread it carries: its identity hash code, or {@link #NOBODY}
   * @param cpuNs the processor time that it has used so far
   */
  record Look(long carrierId, String carrier, int rider, long cpuNs) {}

  /**
   * A rider that has stayed too long.
   *
   * @param look the last look
   * @param heldNs since when, by the first look
   * @param cpuNs processor time since then
   */
  record Held(Look look, long heldNs, long cpuNs) {}

  private static final class Ride {
    final int rider;
    final long sinceNs;
    final long sinceCpuNs;
    long lastCpuNs;
    int looksAtWork;
    boolean told;

    Ride(int rider, long sinceNs, long sinceCpuNs) {
      this.rider = rider;
      this.sinceNs = sinceNs;
      this.sinceCpuNs = sinceCpuNs;
      lastCpuNs = sinceCpuNs;
    }

    void seen(long cpuNs) {
      if (cpuNs > lastCpuNs) {
        looksAtWork++;
        lastCpuNs = cpuNs;
      }
    }
  }

  private final long limitNs;
  private Map<Long, Ride> rides = new HashMap<>();

  CarrierLooks(long limitNs) {
    this.limitNs = limitNs;
  }

  /** Takes a look at all carriers; returns those held too long that were not told before. */
  List<Held> add(List<Look> looks, long nowNs) {
    List<Held> held = new ArrayList<>();
    Map<Long, Ride> next = new HashMap<>();
    for (Look look : looks) {
      if (look.rider() != NOBODY) {
        Ride ride = rides.get(look.carrierId());
        if (ride == null || ride.rider != look.rider()) {
          ride = new Ride(look.rider(), nowNs, look.cpuNs());
        }
        next.put(look.carrierId(), ride);
        ride.seen(look.cpuNs());
        Held ridden = new Held(look, nowNs - ride.sinceNs, look.cpuNs() - ride.sinceCpuNs);
        if (!ride.told && isTooLong(ridden, ride.looksAtWork)) {
          held.add(ridden);
        }
      }
    }
    rides = next;
    return held;
  }

  private boolean isTooLong(Held ridden, int looksAtWork) {
    boolean computes = ridden.cpuNs() >= limitNs && looksAtWork >= LOOKS_AT_WORK;
    return computes || ridden.heldNs() >= WAIT_LIMITS * limitNs;
  }

  /** Does not return this ride again. */
  void told(Look look) {
    Ride ride = rides.get(look.carrierId());
    if (ride != null && ride.rider == look.rider()) {
      ride.told = true;
    }
  }

  /** Begins this ride anew: its rider was seen to have left in between. */
  void interrupted(Look look) {
    rides.remove(look.carrierId());
  }
}
