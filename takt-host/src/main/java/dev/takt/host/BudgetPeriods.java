package dev.takt.host;

/**
 * When a thread has used up its budget, and for how long it has to rest then.
 *
 * <p>What was used beyond the budget of a period is taken off that of the next one; what was not
 * used is not kept.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class BudgetPeriods {
  private final long budgetNs;
  private final long periodNs;
  private long beginNs;
  private long beginUsedNs;
  private boolean hasBegun;

  /**
   * Begins the first period.
   *
   * @param budgetNs of processor time in each period
   * @param usedNs the thread's processor time so far
   */
  BudgetPeriods(long budgetNs, long periodNs, long nowNs, long usedNs) {
    this.budgetNs = budgetNs;
    this.periodNs = periodNs;
    beginNs = nowNs;
    beginUsedNs = usedNs;
  }

  /** Returns for how long the thread has to rest; 0: it may go on. */
  long restNs(long nowNs, long usedNs) {
    long periods = (nowNs - beginNs) / periodNs;
    hasBegun = periods > 0;
    if (hasBegun) {
      beginNs += periods * periodNs;
      beginUsedNs = Math.min(usedNs, beginUsedNs + periods * budgetNs);
    }
    // A debt of more than a period's budget is paid by as many periods.
    long over = usedNs - beginUsedNs;
    return over < budgetNs ? 0 : beginNs + over / budgetNs * periodNs - nowNs;
  }

  /** Returns whether the last call of {@link #restNs} was the first one in its period. */
  boolean hasBegun() {
    return hasBegun;
  }
}
