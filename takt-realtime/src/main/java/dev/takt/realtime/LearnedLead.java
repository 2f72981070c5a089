package dev.takt.realtime;

/**
 * How long a thread may spin, and how long before a release it is to be woken: the rule of {@link
 * ReleaseTimer}, and of others that spin before they sleep. It takes times and returns durations;
 * it neither waits nor looks at a clock.
 *
 * <p><b>What it learns.</b> The lead is an estimate of the 255/256 quantile (99.6 %) of how late
 * the thread is woken. Each wake-up that is later than the lead moves it up by {@value #UP} units,
 * each other one down by one unit; it comes to rest where one of 256 is later. A late release puts
 * two distances between releases out, so 99.2 % of these are right. A unit is a {@value
 * #FINE_DIVISOR}th of the lead, at first a {@value #FIRST_DIVISOR}th, so that it is found within a
 * few dozen wake-ups, and one wake-up hardly moves it afterwards. The first wake-up sets it.
 *
 * <p><b>What it spends.</b> Time to spin is earned, {@code maxSpinShare} of all time that passes,
 * up to a credit of twice {@code maxLeadNs}, and paid by spinning. At most half of the credit is
 * spent on one release. So with enough credit the lead is used in full; with less, the lead shrinks
 * with the credit, until spinning costs what is earned.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>{@code minLeadNs <= leadNs() <= maxLeadNs}.
 *   <li>A wake-up later than {@code maxLeadNs} changes nothing; any other one moves the lead by
 *       less than a quarter of it.
 *   <li>{@link #begin} returns no more than {@code maxLeadNs} and no more than the credit, so the
 *       credit is never negative: within any time {@code t} at most {@code maxSpinShare * t + 2 *
 *       maxLeadNs} is spun.
 * </ol>
 *
 * <p><b>Thread rule:</b> one thread. <b>Cost:</b> O(1), without allocation.
 */
public final class LearnedLead {
  static final int UP = 255;
  static final int FIRST_DIVISOR = 1_024;
  static final int FINE_DIVISOR = 16_384;

  private static final int SHARE_ONE = 1_024;

  private final long minLeadNs;
  private final long maxLeadNs;
  private final long share;
  private final long maxCreditNs;

  /** After so long the credit is full, whatever the share: longer times would run over. */
  private final long fullAfterNs;

  private long leadNs;
  private int divisor;
  private long creditNs;
  private long creditedNs;

  /**
   * Makes one with the smallest lead and the largest credit.
   *
   * @param bounds what it keeps to
   * @param nowNs the time
   */
  public LearnedLead(LeadBounds bounds, long nowNs) {
    minLeadNs = bounds.minLeadNs();
    maxLeadNs = bounds.maxLeadNs();
    share = Math.round(bounds.maxSpinShare() * SHARE_ONE);
    maxCreditNs = share == 0 ? 0 : 2 * maxLeadNs;
    fullAfterNs = maxCreditNs * SHARE_ONE;
    leadNs = minLeadNs;
    creditNs = maxCreditNs;
    creditedNs = nowNs;
  }

  /**
   * Begins the wait for a release.
   *
   * @param nowNs the time
   * @param extraNs how much longer than the lead to be awake, if there is enough to spend
   * @return how long before the release to be woken, and so how long to spin at most
   */
  public long begin(long nowNs, long extraNs) {
    long passedNs = Math.clamp(nowNs - creditedNs, 0, fullAfterNs);
    long earnedNs = passedNs * share / SHARE_ONE;
    if (earnedNs > 0) {
      creditedNs = nowNs;
      creditNs = Math.min(maxCreditNs, creditNs + earnedNs);
    }
    return Math.min(Math.min(leadNs + extraNs, maxLeadNs), creditNs / 2);
  }

  /** Learns from a wake-up: how much later it was than asked for. */
  void woken(long latenessNs) {
    if (latenessNs > maxLeadNs) {
      return;
    }
    if (divisor == 0) {
      divisor = FIRST_DIVISOR;
      leadNs = Math.max(minLeadNs, latenessNs);
      return;
    }
    long unitNs = leadNs / divisor + 1;
    long movedNs = latenessNs > leadNs ? leadNs + UP * unitNs : leadNs - unitNs;
    leadNs = Math.clamp(movedNs, minLeadNs, maxLeadNs);
    divisor = Math.min(FINE_DIVISOR, divisor + 1);
  }

  /** Pays for a spin. */
  public void spun(long spunNs) {
    creditNs -= Math.min(spunNs, creditNs);
  }

  /** How long before a release the thread should be woken, if there is enough to spend. */
  long leadNs() {
    return leadNs;
  }

  /** How much there is to spend on spinning. */
  long creditNs() {
    return creditNs;
  }
}
