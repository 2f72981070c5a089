package dev.takt.rtsj.monitor;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a monitor has counted since it was made; it goes on counting. A wait is counted when it was
 * given up or when the section that follows it is over, by the exit or the wait for a condition: to
 * count it before would delay the section, and every thread that waits for its end. So that of a
 * thread that ends inside is never counted.
 *
 * <p><b>Thread rule:</b> any thread reads; each value is exact, two of them may be of different
 * moments. Reading allocates nothing.
 */
public final class MonitorStats {
  private final AtomicLong waits = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong longestWaitNs = new AtomicLong();
  private final AtomicLong inversions = new AtomicLong();
  private final AtomicLong longestInversionNs = new AtomicLong();
  private final AtomicLong listenerFailures = new AtomicLong();
  private final AtomicLong priorityFailures = new AtomicLong();

  MonitorStats() {}

  /** Returns how many enters had to wait. */
  public long waits() {
    return waits.get();
  }

  /** Returns how many of them gave up because their time was over. */
  public long timeouts() {
    return timeouts.get();
  }

  /** Returns the longest wait, in nanoseconds. */
  public long longestWaitNs() {
    return longestWaitNs.get();
  }

  /**
   * Returns how many waits were for an owner of lower priority than the waiter's. Priorities are
   * those at the time of counting; that of an owner which has ended is the one known last.
   */
  public long inversions() {
    return inversions.get();
  }

  /** Returns the longest such wait, in nanoseconds. */
  public long longestInversionNs() {
    return longestInversionNs.get();
  }

  /** Returns how often the {@link InversionListener} threw something. */
  public long listenerFailures() {
    return listenerFailures.get();
  }

  /**
   * Returns how often the system refused to raise a thread to the ceiling, or to put its priority
   * back; always 0 without a ceiling.
   */
  public long priorityFailures() {
    return priorityFailures.get();
  }

  void countWait(long waitNs, boolean inVain) {
    waits.incrementAndGet();
    if (inVain) {
      timeouts.incrementAndGet();
    }
    longestWaitNs.accumulateAndGet(waitNs, Math::max);
  }

  void countInversion(long waitNs) {
    inversions.incrementAndGet();
    longestInversionNs.accumulateAndGet(waitNs, Math::max);
  }

  void countListenerFailure() {
    listenerFailures.incrementAndGet();
  }

  void countPriorityFailure() {
    priorityFailures.incrementAndGet();
  }

  @Override
  public String toString() {
    return ("waits=%s, timeouts=%s, longestWaitNs=%s, inversions=%s, longestInversionNs=%s, "
            + "listenerFailures=%s, priorityFailures=%s")
        .formatted(
            waits,
            timeouts,
            longestWaitNs,
            inversions,
            longestInversionNs,
            listenerFailures,
            priorityFailures);
  }
}
