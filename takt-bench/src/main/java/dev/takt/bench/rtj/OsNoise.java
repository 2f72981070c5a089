package dev.takt.bench.rtj;

import java.util.Arrays;

/**
 * What the machine does to a thread that does nothing: in C, with the priority and on the processor
 * of the measured one, in turns with it, a thread sleeps for a while and looks at the clock for a
 * while, again and again.
 *
 * <p>A criterion on the largest of some hundred samples is broken by one of them; whether the floor
 * of the same test is hit in its few milliseconds, too, is chance. From all that this thread saw,
 * in far more time, follows how many samples of a test the machine itself can be expected to break.
 *
 * @param lateNs of each sleep, by how much it ended too late, in nanoseconds
 * @param gapsNs of each look, the longest time from one reading of the clock to the next, in
 *     nanoseconds
 * @param lookedNs how long it looked at the clock in all, in nanoseconds
 */
record OsNoise(long[] lateNs, long[] gapsNs, long lookedNs) {
  /** The kind of floor. */
  static final String FLOOR = "watch";

  /** Of its series. */
  static final String PREFIX = "floor.watch.";

  /** Returns what a case found; null if there was no floor. */
  static OsNoise of(Samples samples) {
    return samples.has(PREFIX + "late")
        ? new OsNoise(
            samples.series(PREFIX + "late"),
            samples.series(PREFIX + "gap"),
            samples.sum(PREFIX + "looked"))
        : null;
  }

  /**
   * Returns how many of some samples are to be expected to be held up for a time or longer.
   *
   * @param timeNs how long, in nanoseconds
   * @param sleeps how many sleeps until a moment are in the samples
   * @param runningNs how long the samples run in all, in nanoseconds
   */
  double expected(double timeNs, double sleeps, double runningNs) {
    double perSleep = (double) count(lateNs, timeNs) / lateNs.length;
    double perNs = (double) count(gapsNs, timeNs) / lookedNs;
    return perSleep * sleeps + perNs * runningNs;
  }

  /** Returns the longest, in nanoseconds. */
  long longestNs() {
    return Math.max(Arrays.stream(lateNs).max().orElse(0), Arrays.stream(gapsNs).max().orElse(0));
  }

  private static long count(long[] valuesNs, double fromNs) {
    return Arrays.stream(valuesNs).filter(each -> each >= fromNs).count();
  }
}
