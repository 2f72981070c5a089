package dev.takt.session.stage;

import java.util.Arrays;

/**
 * How often times were how long: 16 classes for each power of two, so a percentile is up to 1/16
 * too high.
 *
 * <p><b>Thread rule.</b> One thread at a time. <b>Memory.</b> 3 KB; nothing is allocated after it
 * was made. Times of 78 hours and more count as that.
 */
final class TimeHistogram {
  private static final int SUB_BITS = 4;
  private static final int SUB = 1 << SUB_BITS;
  private static final int MAX_BITS = 48;
  private static final long MAX_NS = (1L << MAX_BITS) - 1;

  private final int[] counts = new int[(MAX_BITS - SUB_BITS + 1) * SUB];
  private long count;
  private long maxNs;

  void add(long timeNs) {
    long ns = Math.clamp(timeNs, 0, MAX_NS);
    counts[index(ns)]++;
    count++;
    maxNs = Math.max(maxNs, ns);
  }

  private static int index(long ns) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(ns) - SUB_BITS - 1);
    return (shift << SUB_BITS) + (int) (ns >>> shift);
  }

  /** Returns the longest time that falls into a class. */
  private static long highest(int index) {
    int shift = Math.max(0, (index >> SUB_BITS) - 1);
    return ((long) (index - (shift << SUB_BITS)) + 1 << shift) - 1;
  }

  long count() {
    return count;
  }

  long maxNs() {
    return maxNs;
  }

  /** Returns what so many of 100 times did not exceed; 0: there are none. */
  long percentileNs(int percent) {
    long wanted = (count * percent + 99) / 100;
    long seen = 0;
    for (int i = 0; i < counts.length && wanted > 0; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return Math.min(highest(i), maxNs);
      }
    }
    return 0;
  }

  /** Adds the times of another one. */
  void addAll(TimeHistogram other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
    maxNs = Math.max(maxNs, other.maxNs);
  }

  void clear() {
    Arrays.fill(counts, 0);
    count = 0;
    maxNs = 0;
  }
}
