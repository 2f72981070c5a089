package dev.takt.persist;

import dev.takt.realtime.SingleWriterCounters;

/**
 * How long the increments of a persistence task were, and the reserve that the next one keeps: by
 * what they were too long of late.
 *
 * <p><b>Thread rule:</b> the thread of the increments calls {@link #endNs} and {@link #measure};
 * all else: any thread. Nothing is allocated.
 */
final class IncrementTimes {
  /** In how many increments the reserve falls to a third: 99.9 % are to be within the target. */
  private static final int RESERVE_DECAY = 4_096;

  private static final int COUNT = 0;
  private static final int OVER_TARGET = 1;
  private static final int MAX_PAUSE = 2;
  private static final int LAST_PAUSE = 3;
  private static final int MAX_OVER = 4;
  private static final int COUNTS = 5;

  private final SingleWriterCounters counts = new SingleWriterCounters(COUNTS);
  private final long targetPauseNs;
  private long reserveNs;

  IncrementTimes(long targetPauseNs) {
    this.targetPauseNs = targetPauseNs;
  }

  /** Returns when an increment is to end that begins now. */
  long endNs(long beginNs) {
    return beginNs + targetPauseNs - reserveNs;
  }

  /** Counts an increment, and learns from it. */
  void measure(long beginNs, long plannedNs, long endNs) {
    long pauseNs = endNs - beginNs;
    long overNs = endNs - plannedNs;
    // What is longer is an accident: the thread did not run.
    long most = targetPauseNs / 2;
    reserveNs -= (reserveNs + RESERVE_DECAY - 1) / RESERVE_DECAY;
    if (overNs > reserveNs && overNs <= most) {
      reserveNs = overNs;
      counts.raise(MAX_OVER, overNs);
    }
    counts.add(COUNT, 1);
    if (pauseNs > targetPauseNs) {
      counts.add(OVER_TARGET, 1);
    }
    counts.raise(MAX_PAUSE, pauseNs);
    counts.set(LAST_PAUSE, pauseNs);
  }

  /** Returns how many increments there were. */
  long count() {
    return counts.get(COUNT);
  }

  /** Returns how many of them took longer than the target. */
  long overTarget() {
    return counts.get(OVER_TARGET);
  }

  /** Returns how long the longest one was. */
  long maxPauseNs() {
    return counts.get(MAX_PAUSE);
  }

  /** Returns how long the last one was. */
  long lastPauseNs() {
    return counts.get(LAST_PAUSE);
  }

  /** Returns by how much one ended later than planned at most, but for accidents. */
  long maxOverNs() {
    return counts.get(MAX_OVER);
  }
}
