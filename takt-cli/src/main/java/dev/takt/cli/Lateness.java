package dev.takt.cli;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread of this JVM wakes up here, and how finely and cheaply it can read the time: two
 * short measurements.
 */
final class Lateness {
  /**
   * One nap and how many of them: 0.3 s in all, enough for a p99 of 3 samples and a maximum that
   * hints at trouble.
   */
  private static final long NAP_NS = 1_000_000;

  private static final int NAPS = 300;
  private static final int CLOCK_READS = 1_000_000;

  private Lateness() {}

  /** Sorted nanoseconds between when a nap should have ended and when it did. */
  static long[] measureNs() {
    long[] lateNs = new long[NAPS];
    for (int i = 0; i < NAPS; i++) {
      long dueNs = System.nanoTime() + NAP_NS;
      long now = System.nanoTime();
      while (now < dueNs) {
        LockSupport.parkNanos(dueNs - now);
        now = System.nanoTime();
      }
      lateNs[i] = now - dueNs;
    }
    Arrays.sort(lateNs);
    return lateNs;
  }

  /** The value below which the given share (0 to 1) of the sorted values lies. */
  static long percentile(long[] sorted, double share) {
    int index = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)];
  }

  /**
   * Two figures of {@code System.nanoTime}: its smallest step other than zero, and what one call
   * costs; ns.
   */
  static long[] clockNs() {
    long smallest = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long last = begin;
    for (int i = 0; i < CLOCK_READS; i++) {
      long now = System.nanoTime();
      if (now > last) {
        smallest = Math.min(smallest, now - last);
      }
      last = now;
    }
    return new long[] {smallest, (last - begin) / CLOCK_READS};
  }
}
