package dev.takt.realtime;

import java.util.Objects;

/**
 * Released by time: at {@code originNs + phaseNs + k * periodNs} for k = 0, 1, 2, …, where the
 * origin is the moment of the start, or given. These times are absolute: a late release does not
 * shift the next.
 *
 * @param periodNs the time between releases, in nanoseconds, at least 1
 * @param phaseNs the time from the origin to the first release, in nanoseconds
 * @param deadlineNs by when a release must have ended, in nanoseconds after its release time, at
 *     least 1
 * @param budgetNs how much processor time a release may take, in nanoseconds; 0: no limit
 * @param latePolicy what becomes of the periods that a late release has used up
 */
public record Periodic(
    long periodNs, long phaseNs, long deadlineNs, long budgetNs, LatePolicy latePolicy)
    implements ReleaseParameters {
  /** Checks each value. */
  public Periodic {
    TimeChecks.requirePositive("periodNs", periodNs);
    TimeChecks.requireNotNegative("phaseNs", phaseNs);
    TimeChecks.requirePositive("deadlineNs", deadlineNs);
    TimeChecks.requireNotNegative("budgetNs", budgetNs);
    Objects.requireNonNull(latePolicy, "latePolicy");
  }

  /**
   * No phase, the period as deadline, no budget, {@link LatePolicy#SKIP}.
   *
   * @param periodNs the time between releases, in nanoseconds, at least 1
   */
  public static Periodic ofNs(long periodNs) {
    return new Periodic(periodNs, 0, periodNs, 0, LatePolicy.SKIP);
  }

  /** Returns this, with a phase. */
  public Periodic withPhaseNs(long phaseNs) {
    return new Periodic(periodNs, phaseNs, deadlineNs, budgetNs, latePolicy);
  }

  @Override
  public Periodic withDeadlineNs(long deadlineNs) {
    return new Periodic(periodNs, phaseNs, deadlineNs, budgetNs, latePolicy);
  }

  @Override
  public Periodic withBudgetNs(long budgetNs) {
    return new Periodic(periodNs, phaseNs, deadlineNs, budgetNs, latePolicy);
  }

  /** Returns this, with a policy for late releases. */
  public Periodic withLatePolicy(LatePolicy latePolicy) {
    return new Periodic(periodNs, phaseNs, deadlineNs, budgetNs, latePolicy);
  }
}
