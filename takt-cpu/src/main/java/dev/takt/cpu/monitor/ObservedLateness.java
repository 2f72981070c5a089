package dev.takt.cpu.monitor;

import dev.takt.realtime.SingleWriterCounters;

/**
 * How late something periodic is: the mean of a window, beside the quietest window so far, which is
 * what a timer takes anyway.
 *
 * <p><b>Thread rule:</b> {@link #add}: one thread at a time, which it costs some nanoseconds;
 * {@link #shareSinceLast}: one other thread. <b>Memory:</b> 100 bytes. Nothing is allocated.
 */
public final class ObservedLateness {
  private static final int COUNT = 0;
  private static final int SUM = 1;

  /** A window with fewer says nothing. */
  private static final long LEAST_COUNT = 4;

  private final SingleWriterCounters counters = new SingleWriterCounters(2);
  private long countBefore;
  private long sumBefore;
  private double quietestNs = Double.MAX_VALUE;

  /** Makes one. */
  public ObservedLateness() {}

  /** Adds how much later than its time something was, in nanoseconds; less than 0 counts as 0. */
  public void add(long lateNs) {
    counters.add(SUM, Math.max(0, lateNs));
    counters.add(COUNT, 1);
  }

  /**
   * Returns by how much it was later on average, since the last call, than in the quietest window,
   * as a share of its period; 0: it was not, or there were too few to say.
   */
  public double shareSinceLast(long periodNs) {
    long count = counters.get(COUNT) - countBefore;
    if (count < LEAST_COUNT) {
      return 0;
    }
    long sum = counters.get(SUM);
    double meanNs = (double) (sum - sumBefore) / count;
    countBefore += count;
    sumBefore = sum;
    quietestNs = Math.min(quietestNs, meanNs);
    return (meanNs - quietestNs) / periodNs;
  }
}
