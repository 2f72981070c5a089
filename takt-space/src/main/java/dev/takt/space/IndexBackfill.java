package dev.takt.space;

import java.util.Arrays;

/**
 * The events that were in a space before an index was: links to their slots, bucket by bucket, the
 * oldest first. An index looks at them before it looks at its own list. They are never changed; an
 * event that has gone, or that its writer has added to the list meanwhile, is recognised by its
 * slot and passed over.
 *
 * <p><b>Thread rule:</b> immutable but for the beginnings of the ranges, which are hints.
 */
final class IndexBackfill {
  static final IndexBackfill NONE = new IndexBackfill(new long[0], new long[0], new long[1], 0);

  private final long[] links;
  private final long[] fingerprints;

  /**
   * For each bucket its entries that may still be there: the first in the upper half, the one after
   * the last in the lower.
   */
  private final long[] ranges;

  private final int bucketMask;

  private IndexBackfill(long[] links, long[] fingerprints, long[] ranges, int bucketMask) {
    this.links = links;
    this.fingerprints = fingerprints;
    this.ranges = ranges;
    this.bucketMask = bucketMask;
  }

  /**
   * Makes the elders of an index.
   *
   * @param links links to the slots
   * @param fingerprints their fingerprints in the index
   * @param stamps the order in which they were written
   */
  static IndexBackfill of(long[] links, long[] fingerprints, long[] stamps) {
    int count = links.length;
    if (count == 0) {
      return NONE;
    }
    int mask = Index.buckets(count) - 1;
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (a, b) -> {
          int byBucket =
              Integer.compare((int) fingerprints[a] & mask, (int) fingerprints[b] & mask);
          return byBucket != 0 ? byBucket : Long.signum(stamps[a] - stamps[b]);
        });
    long[] sortedLinks = new long[count];
    long[] sortedFingerprints = new long[count];
    long[] ranges = new long[mask + 1];
    for (int i = 0; i < count; i++) {
      sortedLinks[i] = links[order[i]];
      sortedFingerprints[i] = fingerprints[order[i]];
      int bucket = (int) sortedFingerprints[i] & mask;
      ranges[bucket] = ranges[bucket] == 0 ? range(i, i + 1) : ranges[bucket] + 1;
    }
    return new IndexBackfill(sortedLinks, sortedFingerprints, ranges, mask);
  }

  /** Returns how much of the heap so many events take. */
  static long heapBytes(int count) {
    return (2L * count + Index.buckets(count)) * Long.BYTES;
  }

  private static long range(int first, int end) {
    return (long) first << 32 | end;
  }

  /** Returns the entries to look at for a fingerprint; see {@link #first} and {@link #end}. */
  long range(long fingerprint) {
    return ranges[(int) fingerprint & bucketMask];
  }

  static int first(long range) {
    return (int) (range >>> 32);
  }

  static int end(long range) {
    return (int) range;
  }

  long link(int entry) {
    return links[entry];
  }

  long fingerprint(int entry) {
    return fingerprints[entry];
  }

  /**
   * Records that every entry of the fingerprint's bucket before {@code first} has gone for good.
   */
  void advance(long fingerprint, int first, int end) {
    ranges[(int) fingerprint & bucketMask] = range(first, end);
  }
}
