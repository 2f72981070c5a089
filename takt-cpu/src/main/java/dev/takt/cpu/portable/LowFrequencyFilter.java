package dev.takt.cpu.portable;

/**
 * Learns by how much pauses end too late, and takes that from the next ones; takes the delay of any
 * interval from the slot that follows.
 *
 * <p>Of the lateness of pauses it keeps the slow part, an average in which each new one weighs an
 * eighth: the resolution of the system's timers and the time it takes to get the processor, and of
 * a single accident an eighth, which is forgotten again. What a pause ends later than it was to,
 * before it was shortened here, and what a task takes beyond its slot, is taken once from the next
 * slot, which can spare it because a slot is longer than the task's cost by the factor E. Pauses
 * end at the time at which a task is due, so they are shorter by what came before them in any case.
 *
 * <p>It never takes more than half of an interval.
 *
 * <p>Source: CPU control 2.2 (Low Frequency Filter).
 */
public final class LowFrequencyFilter implements RealTimeFilter {
  private static final int WEIGHT = 8;

  private long lateNs;
  private long owedNs;

  /** How much the pause is shorter that runs now. */
  private long shortenedNs;

  /** Makes one that has learned nothing yet. */
  public LowFrequencyFilter() {}

  @Override
  public long apply(Interval interval, long lengthNs) {
    if (interval == Interval.PAUSE) {
      shortenedNs = Math.min(lateNs, lengthNs / 2);
      return lengthNs - shortenedNs;
    }
    long takenNs = Math.min(owedNs, lengthNs / 2);
    owedNs = 0;
    return lengthNs - takenNs;
  }

  @Override
  public void ended(Interval interval, long expectedEndNs, long endNs) {
    owedNs = Math.max(0, endNs - expectedEndNs);
    if (interval == Interval.PAUSE) {
      lateNs += (owedNs - lateNs) / WEIGHT;
      owedNs = Math.max(0, owedNs - shortenedNs);
      shortenedNs = 0;
    }
  }

  /** Returns by how much pauses end too late, as learned, in nanoseconds. */
  public long lateNs() {
    return lateNs;
  }
}
