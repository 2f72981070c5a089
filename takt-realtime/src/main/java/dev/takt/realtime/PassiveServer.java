package dev.takt.realtime;

/**
 * How much processor time all passive tasks of a runtime have together: in each period a budget,
 * from the period's beginning to its end whenever there is something to do (a <em>deferrable
 * server</em>). A flood of events takes that, and no more; what it cannot serve waits in the space.
 *
 * <p>The budget is the thread's processor time. It is looked at between releases: one that has
 * begun is not interrupted, and what it takes beyond the budget is missing from the next period's.
 *
 * <p>Source: J. K. Strosnider, J. P. Lehoczky, L. Sha, The deferrable server algorithm for enhanced
 * aperiodic responsiveness in hard real-time environments, IEEE Transactions on Computers 44(1),
 * 1995.
 *
 * @param budgetNs the processor time in each period, in nanoseconds, {@value #MIN_BUDGET_NS} to
 *     {@code periodNs}
 * @param periodNs the period, in nanoseconds, at most {@value #MAX_PERIOD_NS}
 */
public record PassiveServer(long budgetNs, long periodNs) {
  /** The least budget: 10 us. Waiting for the next period takes about as long. */
  public static final long MIN_BUDGET_NS = 10_000;

  /** The longest period: one hour. */
  public static final long MAX_PERIOD_NS = 3_600_000_000_000L;

  /** What is taken where nothing was set and tasks are admitted: 1 ms in each 5 ms. */
  public static final PassiveServer DEFAULT = new PassiveServer(1_000_000, 5_000_000);

  /** Checks each value. */
  public PassiveServer {
    if (budgetNs < MIN_BUDGET_NS || periodNs < budgetNs || periodNs > MAX_PERIOD_NS) {
      throw new IllegalArgumentException(
          "budgetNs=%s, periodNs=%s (expected: %s <= budgetNs <= periodNs <= %s)"
              .formatted(budgetNs, periodNs, MIN_BUDGET_NS, MAX_PERIOD_NS));
    }
  }
}
