package dev.takt.realtime;

/**
 * Released again as soon as the release before has ended: each release is due when it begins.
 *
 * @param phaseNs the time from the origin to the first release, in nanoseconds
 * @param deadlineNs by when a release must have ended, in nanoseconds after it began; 0: there is
 *     no deadline
 * @param budgetNs how much processor time a release may take, in nanoseconds; 0: no limit
 */
public record Continuous(long phaseNs, long deadlineNs, long budgetNs)
    implements ReleaseParameters {
  /** No phase, no deadline, no budget. */
  public static final Continuous UNLIMITED = new Continuous(0, 0, 0);

  /** Checks each value. */
  public Continuous {
    TimeChecks.requireNotNegative("phaseNs", phaseNs);
    TimeChecks.requireNotNegative("deadlineNs", deadlineNs);
    TimeChecks.requireNotNegative("budgetNs", budgetNs);
  }

  /** Returns this, with a phase. */
  public Continuous withPhaseNs(long phaseNs) {
    return new Continuous(phaseNs, deadlineNs, budgetNs);
  }

  @Override
  public Continuous withDeadlineNs(long deadlineNs) {
    return new Continuous(phaseNs, deadlineNs, budgetNs);
  }

  @Override
  public Continuous withBudgetNs(long budgetNs) {
    return new Continuous(phaseNs, deadlineNs, budgetNs);
  }
}
