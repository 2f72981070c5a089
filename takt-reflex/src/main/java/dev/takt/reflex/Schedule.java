package dev.takt.reflex;

/**
 * When an active task is released, and what is expected of a release.
 *
 * @param periodNs the time between two releases in nanoseconds; 0: the next release begins when the
 *     last one ends
 * @param priority the priority, {@link ReflexRuntime#MIN_PRIORITY} (lowest) to {@link
 *     ReflexRuntime#MAX_PRIORITY}
 * @param phaseNs how long after the start of the runtime the first release is due, in nanoseconds
 * @param deadlineNs how long after its release time a release may end without being counted as a
 *     miss, in nanoseconds; 0: the period, or no deadline when that is 0 too
 * @param budgetNs how long a release may run without being counted as an overrun, in nanoseconds of
 *     wall-clock time; 0: no budget
 */
public record Schedule(long periodNs, int priority, long phaseNs, long deadlineNs, long budgetNs) {
  /** The default priority of an active task. */
  public static final int DEFAULT_PRIORITY = 10;

  /** Checks each value. */
  public Schedule {
    check("periodNs", periodNs);
    checkPriority(priority);
    check("phaseNs", phaseNs);
    check("deadlineNs", deadlineNs);
    check("budgetNs", budgetNs);
  }

  static void checkPriority(int priority) {
    if (priority < ReflexRuntime.MIN_PRIORITY || priority > ReflexRuntime.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority="
              + priority
              + " (expected: "
              + ReflexRuntime.MIN_PRIORITY
              + " to "
              + ReflexRuntime.MAX_PRIORITY
              + ")");
    }
  }

  private static void check(String name, long valueNs) {
    if (valueNs < 0 || valueNs > 1L << 60) {
      throw new IllegalArgumentException(
          name + "=" + valueNs + " (expected: 0 to 2^60 nanoseconds)");
    }
  }

  /** Returns a schedule with a release in every period. */
  public static Schedule periodic(long periodNs) {
    if (periodNs == 0) {
      throw new IllegalArgumentException(
          "periodNs=0 (expected: at least 1; use Schedule.continuous() for no sleep)");
    }
    return new Schedule(periodNs, DEFAULT_PRIORITY, 0, 0, 0);
  }

  /** Returns a schedule without any sleep between releases. */
  public static Schedule continuous() {
    return new Schedule(0, DEFAULT_PRIORITY, 0, 0, 0);
  }

  /** Returns this schedule with another priority. */
  public Schedule priority(int priority) {
    return new Schedule(periodNs, priority, phaseNs, deadlineNs, budgetNs);
  }

  /** Returns this schedule with another phase. */
  public Schedule phaseNs(long phaseNs) {
    return new Schedule(periodNs, priority, phaseNs, deadlineNs, budgetNs);
  }

  /** Returns this schedule with another deadline. */
  public Schedule deadlineNs(long deadlineNs) {
    return new Schedule(periodNs, priority, phaseNs, deadlineNs, budgetNs);
  }

  /** Returns this schedule with another budget. */
  public Schedule budgetNs(long budgetNs) {
    return new Schedule(periodNs, priority, phaseNs, deadlineNs, budgetNs);
  }

  /** Returns the deadline that counts, or 0 for none. */
  long effectiveDeadlineNs() {
    return deadlineNs == 0 ? periodNs : deadlineNs;
  }
}
