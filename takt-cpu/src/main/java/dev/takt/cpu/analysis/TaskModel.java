package dev.takt.cpu.analysis;

import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import java.util.Objects;

/**
 * A task as the analysis sees it. All times are in one unit, nanoseconds in the rest of Takt.
 *
 * @param name for explanations
 * @param costNs the worst-case execution time of a release, 1 to {@value #MAX_NS}
 * @param periodNs the least time between two arrivals, 1 to {@value #MAX_NS}
 * @param deadlineNs by when after its arrival a release has to end, 1 to {@value #MAX_NS}; it may
 *     be longer than the period
 * @param jitterNs how much later than its arrival a release can become ready, 0 to {@value #MAX_NS}
 * @param blockingNs how long tasks of lower priority can keep a release from running, 0 to {@value
 *     #MAX_NS}
 * @param suspensionNs how long a release waits, itself, 0 to {@value #MAX_NS}
 */
public record TaskModel(
    String name,
    long costNs,
    long periodNs,
    long deadlineNs,
    long jitterNs,
    long blockingNs,
    long suspensionNs) {
  /** The longest time: 13 days in nanoseconds. */
  public static final long MAX_NS = 1L << 50;

  /** Checks each value. */
  public TaskModel {
    Objects.requireNonNull(name, "name");
    check(name, "costNs", costNs, 1);
    check(name, "periodNs", periodNs, 1);
    check(name, "deadlineNs", deadlineNs, 1);
    check(name, "jitterNs", jitterNs, 0);
    check(name, "blockingNs", blockingNs, 0);
    check(name, "suspensionNs", suspensionNs, 0);
  }

  private static void check(String task, String what, long value, long least) {
    if (value < least || value > MAX_NS) {
      throw new IllegalArgumentException(
          "task %s: %s=%s (expected: %s to %s)".formatted(task, what, value, least, MAX_NS));
    }
  }

  /** Makes a task whose deadline is its period. */
  public static TaskModel of(String name, long costNs, long periodNs) {
    return of(name, costNs, periodNs, periodNs);
  }

  /** Makes a task without jitter, blocking and suspension. */
  public static TaskModel of(String name, long costNs, long periodNs, long deadlineNs) {
    return new TaskModel(name, costNs, periodNs, deadlineNs, 0, 0, 0);
  }

  /**
   * Makes the model of a deferrable server, whose budget is looked at between releases, with a debt
   * that the next period pays.
   *
   * <p>It does not give to those below it what a periodic task does: its budget can be used at the
   * end of one period and again at the beginning of the next. That is a release jitter of T - C. A
   * release that begins just before the budget is used up takes up to one budget more, once within
   * any time because it is paid back: one period of jitter more. So in any time t it takes {@code
   * ceil((t + 2 T - C) / T) * C} at most. It has no deadline but to get its budget within the
   * period; measured from the earliest arrival that is the period and the jitter.
   *
   * <p>Source: J. K. Strosnider, J. P. Lehoczky, L. Sha, The deferrable server algorithm, IEEE
   * Transactions on Computers 44(1), 1995 (back-to-back execution); G. Bernat, A. Burns, New
   * results on fixed priority aperiodic servers, RTSS 1999 (as jitter); R. I. Davis, A. Burns,
   * Resource sharing in hierarchical fixed priority pre-emptive systems, RTSS 2006 (overrun and
   * payback).
   *
   * @param costNs its budget, at most the period
   */
  public static TaskModel deferrableServer(String name, long costNs, long periodNs) {
    long jitterNs = 2 * periodNs - Math.min(costNs, periodNs);
    return new TaskModel(name, costNs, periodNs, periodNs + jitterNs, jitterNs, 0, 0);
  }

  /**
   * Makes the model of what Takt releases; its cost is the budget, its deadline the period where
   * there is none.
   *
   * @throws IllegalArgumentException if it has no period and no minimum inter-arrival time, or no
   *     budget: then nothing bounds the time that it takes
   */
  public static TaskModel of(String name, ReleaseParameters release) {
    long periodNs =
        switch (release) {
          case Periodic periodic -> periodic.periodNs();
          case Sporadic sporadic -> sporadic.minInterarrivalNs();
          default ->
              throw new IllegalArgumentException(
                  "task %s: %s (expected: Periodic or Sporadic)".formatted(name, release));
        };
    long deadlineNs = release.deadlineNs() == 0 ? periodNs : release.deadlineNs();
    return of(name, release.budgetNs(), periodNs, deadlineNs);
  }

  /** Returns this, with another cost. */
  public TaskModel withCostNs(long costNs) {
    return new TaskModel(name, costNs, periodNs, deadlineNs, jitterNs, blockingNs, suspensionNs);
  }

  /** Returns this, with another period, and a deadline that keeps its share of it. */
  public TaskModel withPeriodNs(long periodNs) {
    long deadlineNs =
        this.deadlineNs == this.periodNs
            ? periodNs
            : Math.clamp(
                Math.round((double) this.deadlineNs / this.periodNs * periodNs), 1, MAX_NS);
    return new TaskModel(name, costNs, periodNs, deadlineNs, jitterNs, blockingNs, suspensionNs);
  }

  /** Returns this, with release jitter. */
  public TaskModel withJitterNs(long jitterNs) {
    return new TaskModel(name, costNs, periodNs, deadlineNs, jitterNs, blockingNs, suspensionNs);
  }

  /** Returns this, with blocking. */
  public TaskModel withBlockingNs(long blockingNs) {
    return new TaskModel(name, costNs, periodNs, deadlineNs, jitterNs, blockingNs, suspensionNs);
  }

  /** Returns this, with suspension. */
  public TaskModel withSuspensionNs(long suspensionNs) {
    return new TaskModel(name, costNs, periodNs, deadlineNs, jitterNs, blockingNs, suspensionNs);
  }

  /** Returns which share of a processor it takes. */
  public double utilization() {
    return (double) costNs / periodNs;
  }
}
