package dev.takt.realtime;

/**
 * When a periodic thread is released next: the rule, without waiting.
 *
 * <p><b>Invariants.</b> (1) A release time is {@code originNs + phaseNs + k * periodNs}, and k only
 * grows. (2) With {@link LatePolicy#CATCH_UP}, k grows by one for each release. (3) With {@link
 * LatePolicy#SKIP}, k grows by one and by the number of periods whose deadline was over when the
 * release before ended; a release is never skipped while it is waited for, so after periods were
 * skipped there is a release.
 *
 * <p><b>Thread rule:</b> one thread. Allocates nothing.
 */
public final class PeriodicReleases {
  private final long periodNs;
  private final long deadlineNs;
  private final boolean skips;
  private long nextNs;

  /**
   * Makes the releases of a thread.
   *
   * @param parameters its parameters
   * @param originNs when its time begins
   */
  public PeriodicReleases(Periodic parameters, long originNs) {
    periodNs = parameters.periodNs();
    deadlineNs = parameters.deadlineNs();
    skips = parameters.latePolicy() == LatePolicy.SKIP;
    nextNs = originNs + parameters.phaseNs();
  }

  /** Returns the time of the next release; it may have passed. */
  public long nextNs() {
    return nextNs;
  }

  /**
   * Ends the release of {@link #nextNs} and moves on to the one after it.
   *
   * @param nowNs the time
   * @return how many periods are skipped, 0 or more
   */
  public long end(long nowNs) {
    nextNs += periodNs;
    long lateNs = nowNs - nextNs - deadlineNs;
    if (!skips || lateNs < 0) {
      return 0;
    }
    long skipped = lateNs / periodNs + 1;
    nextNs += skipped * periodNs;
    return skipped;
  }
}
