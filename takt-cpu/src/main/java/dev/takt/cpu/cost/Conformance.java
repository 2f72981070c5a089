package dev.takt.cpu.cost;

import java.util.Locale;

/**
 * Whether measured releases keep to the attributes of their task: its cost and its period. Source:
 * CPU control 2.4.
 *
 * @param releases how many were measured
 * @param over how many of them took more than the cost that the task was admitted with
 * @param late how many of them ended past their deadline
 */
public record Conformance(long releases, long over, long late) {
  /** The share of releases that may take more than the cost: one of twenty. */
  public static final double TOLERATED_OVER = 0.05;

  /**
   * The share of releases that may be late: half. What the machine does to a task makes some of its
   * releases late; a task that sleeps for longer than its period is late each time.
   */
  public static final double TOLERATED_LATE = 0.5;

  /**
   * Counts.
   *
   * @param costsNs what the releases took
   * @param limitNs the cost that the task was admitted with
   */
  public static Conformance of(long[] costsNs, long limitNs, long late) {
    long over = 0;
    for (long each : costsNs) {
      over += each > limitNs ? 1 : 0;
    }
    return new Conformance(costsNs.length, over, late);
  }

  /** Returns whether the task keeps to its cost. */
  public boolean keepsCost() {
    return over <= TOLERATED_OVER * releases;
  }

  /** Returns whether the task keeps to its period. */
  public boolean keepsPeriod() {
    return late <= TOLERATED_LATE * releases;
  }

  /** Returns whether it keeps to both. */
  public boolean conforms() {
    return keepsCost() && keepsPeriod();
  }

  /** Returns it in words. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "of %d releases %d took more than the cost (limit: %.0f %%), %d ended past the deadline"
            + " (limit: %.0f %%)",
        releases,
        over,
        100 * TOLERATED_OVER,
        late,
        100 * TOLERATED_LATE);
  }
}
