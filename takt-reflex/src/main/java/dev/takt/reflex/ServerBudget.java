package dev.takt.reflex;

import dev.takt.realtime.PassiveServer;

/**
 * How much a deferrable server has left: the rules, without a thread and a clock.
 *
 * <p>At each multiple of the period, counted from the beginning, there is a full budget again; what
 * was left is lost. What was used is charged between releases, so that it may exceed what was left
 * by the last release: that is a debt, which the next budgets pay.
 *
 * <p><b>Guarantees.</b> Where each charge comes within a release and {@value #LOOK_NS} ns of {@link
 * #lookAtNs}: (1) In any time {@code t} no more than {@code ceil((t + period - budget) / period) *
 * budget} is used, and once one release and {@value #LOOK_NS} ns. (2) There is always budget within
 * a period after the beginning of one in which none was used beyond it.
 *
 * <p><b>Thread rule:</b> one thread. Nothing is allocated.
 */
final class ServerBudget {
  /** The least time between two looks at what was used: 2 us, a few times what a look takes. */
  static final long LOOK_NS = 2_000;

  private final long budgetNs;
  private final long periodNs;

  /** When the present period has begun. */
  private long fromNs;

  private long leftNs;

  /** Begins the first period, with a full budget. */
  ServerBudget(PassiveServer parameters, long nowNs) {
    budgetNs = parameters.budgetNs();
    periodNs = parameters.periodNs();
    fromNs = nowNs;
    leftNs = budgetNs;
  }

  /**
   * Charges what was used since the last charge. Of what was used across the beginning of a period,
   * as much as can have been after it belongs to that period.
   *
   * @param usedNs how much, no more than the time that has passed
   * @param nowNs the time
   */
  void charge(long usedNs, long nowNs) {
    long hereNs = usedNs;
    long periods = (nowNs - fromNs) / periodNs;
    if (periods > 0) {
      fromNs += periods * periodNs;
      hereNs = Math.min(usedNs, nowNs - fromNs);
      leftNs = Math.min(budgetNs, leftNs - (usedNs - hereNs) + periods * budgetNs);
    }
    leftNs -= hereNs;
  }

  /** Returns whether no release may begin. */
  boolean isUsedUp() {
    return leftNs <= 0;
  }

  /** Returns when a release may begin again, if the budget is used up. */
  long replenishedAtNs() {
    return fromNs + (1 - leftNs / budgetNs) * periodNs;
  }

  /**
   * Returns when to charge next: when the budget may be used up, because processor time does not
   * pass faster than time, or when the next period begins; at once, if it is used up.
   */
  long lookAtNs(long nowNs) {
    return isUsedUp() ? nowNs : Math.min(nowNs + Math.max(LOOK_NS, leftNs), fromNs + periodNs);
  }
}
