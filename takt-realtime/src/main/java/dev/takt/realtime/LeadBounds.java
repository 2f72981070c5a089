package dev.takt.realtime;

/**
 * How much a {@link ReleaseTimer} may spin.
 *
 * @param minLeadNs the smallest lead, in nanoseconds, at least 0: below it, arming a sleep costs
 *     more than it saves
 * @param maxLeadNs the largest lead and so the longest spin for one release, in nanoseconds, at
 *     least {@code minLeadNs}, at most {@link #MAX_LEAD_NS}. Wake-ups that are later than that are
 *     accidents: nothing is learned from them
 * @param maxSpinShare the largest part of a processor's time to spend spinning, over time; 0 (never
 *     spin) to {@value #MAX_SPIN_SHARE}: Linux stops real-time threads that take more than 95 % of
 *     a second
 */
public record LeadBounds(long minLeadNs, long maxLeadNs, double maxSpinShare) {
  /**
   * The largest {@code maxLeadNs}: 10 ms. A real-time thread may spin for twice that on top of its
   * share, which has to fit into the 50 ms of each second that Linux keeps from such threads.
   */
  public static final long MAX_LEAD_NS = 10_000_000;

  /** The largest {@code maxSpinShare}. */
  public static final double MAX_SPIN_SHARE = 0.9;

  /** The default of the smallest lead: 5 us. */
  public static final long DEFAULT_MIN_LEAD_NS = 5_000;

  /**
   * The default of the largest lead: 150 us, twice the usual lateness of an ordinary Linux thread
   * with its default timer slack (50 us of slack and about 20 us of wake-up).
   */
  public static final long DEFAULT_MAX_LEAD_NS = 150_000;

  /** The default of the spin share: 30 %. */
  public static final double DEFAULT_MAX_SPIN_SHARE = 0.3;

  /** The default bounds. */
  public static final LeadBounds DEFAULTS =
      new LeadBounds(DEFAULT_MIN_LEAD_NS, DEFAULT_MAX_LEAD_NS, DEFAULT_MAX_SPIN_SHARE);

  /** Never spins: every release is as late as the system wakes the thread. */
  public static final LeadBounds NO_SPIN = new LeadBounds(0, 0, 0);

  /** Checks each value. */
  public LeadBounds {
    if (minLeadNs < 0 || minLeadNs > maxLeadNs) {
      throw new IllegalArgumentException(
          "minLeadNs=%s, maxLeadNs=%s (expected: 0 <= minLeadNs <= maxLeadNs)"
              .formatted(minLeadNs, maxLeadNs));
    }
    if (maxLeadNs > MAX_LEAD_NS) {
      throw new IllegalArgumentException(
          ("maxLeadNs=%s (limit: %s; take less, and let releases be later that are woken "
                  + "later than that)")
              .formatted(maxLeadNs, MAX_LEAD_NS));
    }
    if (!(maxSpinShare >= 0 && maxSpinShare <= MAX_SPIN_SHARE)) {
      throw new IllegalArgumentException(
          "maxSpinShare=" + maxSpinShare + " (expected: 0 to " + MAX_SPIN_SHARE + ")");
    }
  }
}
