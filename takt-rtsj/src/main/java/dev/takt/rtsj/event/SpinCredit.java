package dev.takt.rtsj.event;

/**
 * How long a thread may spin: for a bounded time, and over time for a part of it. It takes times
 * and returns durations; it neither waits nor looks at a clock.
 *
 * <p><b>Guarantee.</b> Within any time {@code t} at most {@code t * PERCENT / 100 + 2 * spinNs} is
 * spun. <b>Thread rule:</b> one thread. Nothing allocates.
 */
final class SpinCredit {
  /** How much of the time may be spun. */
  static final int PERCENT = 30;

  /** More than it takes to earn the largest credit, and little enough for the product to fit. */
  private static final long MAX_EARNING_NS = 1_000_000_000;

  private final long spinNs;
  private long creditNs;
  private long creditedNs;

  SpinCredit(long spinNs, long nowNs) {
    this.spinNs = spinNs;
    creditNs = 2 * spinNs;
    creditedNs = nowNs;
  }

  /**
   * Begins a spin.
   *
   * @return for how long it may last
   */
  long begin(long nowNs) {
    long earnedNs = Math.clamp(nowNs - creditedNs, 0, MAX_EARNING_NS) * PERCENT / 100;
    if (earnedNs > 0) { // otherwise what is too short to earn 1 ns goes on to be counted
      creditNs = Math.min(2 * spinNs, creditNs + earnedNs);
      creditedNs = nowNs;
    }
    return Math.min(spinNs, creditNs);
  }

  /** Pays for a spin. */
  void spun(long spunNs) {
    creditNs -= Math.min(creditNs, spunNs);
  }
}
