package dev.takt.realtime;

/**
 * When something is released, by when a release must have ended, and how much processor time it may
 * take. The words are explained in the {@linkplain dev.takt.realtime package}.
 */
public sealed interface ReleaseParameters permits Periodic, Sporadic, Aperiodic, Continuous {
  /** The longest time of any parameter: about 36 years, so that sums of times do not overflow. */
  long MAX_NS = 1L << 60;

  /**
   * Returns by when a release must have ended, in nanoseconds after it was due; 0: there is no
   * deadline.
   */
  long deadlineNs();

  /** Returns how much processor time a release may take, in nanoseconds; 0: no limit. */
  long budgetNs();

  /** Returns this, with a deadline. */
  ReleaseParameters withDeadlineNs(long deadlineNs);

  /** Returns this, with a budget. */
  ReleaseParameters withBudgetNs(long budgetNs);

  /**
   * Returns how long after it was due the begin of a release counts as a <em>late start</em>, in
   * nanoseconds: the period, the minimum inter-arrival time or, without them, the deadline; 0:
   * never.
   */
  default long lateStartNs() {
    return switch (this) {
      case Periodic periodic -> periodic.periodNs();
      case Sporadic sporadic -> sporadic.minInterarrivalNs();
      case Aperiodic aperiodic -> aperiodic.deadlineNs();
      case Continuous _ -> 0;
    };
  }

  /**
   * Returns how long after its deadline a release has ended, in nanoseconds: more than 0 is a
   * <em>miss</em>.
   *
   * @param dueNs when it was due
   * @param endNs when it ended, by the same clock
   */
  default long tardinessNs(long dueNs, long endNs) {
    return deadlineNs() == 0 ? 0 : endNs - dueNs - deadlineNs();
  }

  /**
   * Returns how much more processor time a release has taken than its budget, in nanoseconds: more
   * than 0 is an <em>overrun</em>.
   *
   * @param usedNs the time that it took
   */
  default long overBudgetNs(long usedNs) {
    return budgetNs() == 0 ? 0 : usedNs - budgetNs();
  }
}
