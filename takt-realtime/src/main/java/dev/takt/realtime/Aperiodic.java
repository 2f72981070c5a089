package dev.takt.realtime;

import dev.takt.realtime.internal.Ranges;
import java.util.Objects;

/**
 * Released by arrivals, at any time.
 *
 * @param deadlineNs by when a release must have ended, in nanoseconds after its arrival; 0: there
 *     is no deadline
 * @param budgetNs how much processor time a release may take, in nanoseconds; 0: no limit
 * @param queueCapacity how many arrivals can wait, {@code 1} to {@value #MAX_QUEUE_CAPACITY}; each
 *     takes 8 bytes
 * @param whenFull what becomes of an arrival that finds the queue full; not {@link
 *     QueuePolicy#SAVE}
 */
public record Aperiodic(long deadlineNs, long budgetNs, int queueCapacity, QueuePolicy whenFull)
    implements ReleaseParameters {
  /** The default of {@code queueCapacity}. */
  public static final int DEFAULT_QUEUE_CAPACITY = 16;

  /** The largest {@code queueCapacity}. */
  public static final int MAX_QUEUE_CAPACITY = 1 << 20;

  /** Checks each value. */
  public Aperiodic {
    TimeChecks.requireNotNegative("deadlineNs", deadlineNs);
    TimeChecks.requireNotNegative("budgetNs", budgetNs);
    requireQueue(queueCapacity, whenFull);
  }

  /**
   * No deadline, no budget; arrivals are refused when the queue is full.
   *
   * @param queueCapacity how many arrivals can wait, {@code 1} to {@value #MAX_QUEUE_CAPACITY}
   */
  public static Aperiodic ofCapacity(int queueCapacity) {
    return new Aperiodic(0, 0, queueCapacity, QueuePolicy.EXCEPT);
  }

  @Override
  public Aperiodic withDeadlineNs(long deadlineNs) {
    return new Aperiodic(deadlineNs, budgetNs, queueCapacity, whenFull);
  }

  @Override
  public Aperiodic withBudgetNs(long budgetNs) {
    return new Aperiodic(deadlineNs, budgetNs, queueCapacity, whenFull);
  }

  /** Returns this, with a policy for arrivals that find the queue full. */
  public Aperiodic withWhenFull(QueuePolicy whenFull) {
    return new Aperiodic(deadlineNs, budgetNs, queueCapacity, whenFull);
  }

  static void requireQueue(int capacity, QueuePolicy whenFull) {
    Ranges.check("queueCapacity", capacity, 1, MAX_QUEUE_CAPACITY);
    if (Objects.requireNonNull(whenFull, "whenFull") == QueuePolicy.SAVE) {
      throw new IllegalArgumentException(
          "whenFull=SAVE (expected: EXCEPT, IGNORE or REPLACE; a queue does not grow: raise"
              + " queueCapacity)");
    }
  }
}
