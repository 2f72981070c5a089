package dev.takt.realtime;

import java.util.Objects;

/**
 * Released by arrivals, but never sooner than a minimum inter-arrival time after the release
 * before.
 *
 * @param minInterarrivalNs the least time between two release times, in nanoseconds, at least 1
 * @param deadlineNs by when a release must have ended, in nanoseconds after its release time; 0:
 *     there is no deadline
 * @param budgetNs how much processor time a release may take, in nanoseconds; 0: no limit
 * @param queueCapacity how many arrivals can wait, {@code 1} to {@value
 *     Aperiodic#MAX_QUEUE_CAPACITY}; each takes 8 bytes
 * @param tooSoon what becomes of an arrival that comes sooner than the minimum inter-arrival time
 * @param whenFull what becomes of an arrival that finds the queue full; not {@link
 *     QueuePolicy#SAVE}
 */
public record Sporadic(
    long minInterarrivalNs,
    long deadlineNs,
    long budgetNs,
    int queueCapacity,
    QueuePolicy tooSoon,
    QueuePolicy whenFull)
    implements ReleaseParameters {
  /** Checks each value. */
  public Sporadic {
    TimeChecks.requirePositive("minInterarrivalNs", minInterarrivalNs);
    TimeChecks.requireNotNegative("deadlineNs", deadlineNs);
    TimeChecks.requireNotNegative("budgetNs", budgetNs);
    Objects.requireNonNull(tooSoon, "tooSoon");
    Aperiodic.requireQueue(queueCapacity, whenFull);
  }

  /**
   * The minimum inter-arrival time as deadline, no budget, a queue of {@value
   * Aperiodic#DEFAULT_QUEUE_CAPACITY}; arrivals that come too soon are saved, and refused when the
   * queue is full.
   *
   * @param minInterarrivalNs the least time between two release times, in nanoseconds, at least 1
   */
  public static Sporadic ofNs(long minInterarrivalNs) {
    return new Sporadic(
        minInterarrivalNs,
        minInterarrivalNs,
        0,
        Aperiodic.DEFAULT_QUEUE_CAPACITY,
        QueuePolicy.SAVE,
        QueuePolicy.EXCEPT);
  }

  @Override
  public Sporadic withDeadlineNs(long deadlineNs) {
    return new Sporadic(minInterarrivalNs, deadlineNs, budgetNs, queueCapacity, tooSoon, whenFull);
  }

  @Override
  public Sporadic withBudgetNs(long budgetNs) {
    return new Sporadic(minInterarrivalNs, deadlineNs, budgetNs, queueCapacity, tooSoon, whenFull);
  }

  /** Returns this, with a queue. */
  public Sporadic withQueue(int queueCapacity, QueuePolicy whenFull) {
    return new Sporadic(minInterarrivalNs, deadlineNs, budgetNs, queueCapacity, tooSoon, whenFull);
  }

  /** Returns this, with a policy for arrivals that come too soon. */
  public Sporadic withTooSoon(QueuePolicy tooSoon) {
    return new Sporadic(minInterarrivalNs, deadlineNs, budgetNs, queueCapacity, tooSoon, whenFull);
  }
}
