package dev.takt.realtime;

/**
 * When a thread is released, by when a release must have ended, and how much processor time it may
 * take.
 */
public sealed interface ReleaseParameters permits Periodic, Sporadic, Aperiodic {
  /** The longest time of any parameter: about 36 years, so that sums of times do not overflow. */
  long MAX_NS = 1L << 60;

  /**
   * Returns by when a release must have ended, in nanoseconds after its release time; 0: there is
   * no deadline.
   */
  long deadlineNs();

  /** Returns how much processor time a release may take, in nanoseconds; 0: no limit. */
  long costNs();

  /**
   * Returns how long after its deadline a release has ended, in nanoseconds: more than 0 is a
   * <em>miss</em>.
   *
   * @param releaseNs its release time
   * @param endNs when it ended, by the same clock
   */
  default long lateNs(long releaseNs, long endNs) {
    return deadlineNs() == 0 ? 0 : endNs - releaseNs - deadlineNs();
  }

  /**
   * Returns how much more processor time a release has taken than it may, in nanoseconds: more than
   * 0 is an <em>overrun</em>.
   *
   * @param usedNs the time that it took
   */
  default long overCostNs(long usedNs) {
    return costNs() == 0 ? 0 : usedNs - costNs();
  }
}
