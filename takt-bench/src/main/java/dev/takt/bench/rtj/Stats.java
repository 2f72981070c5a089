package dev.takt.bench.rtj;

import java.util.Arrays;

/**
 * The statistics of a series, in its unit.
 *
 * @param count how many samples there are; 0: all others are 0
 * @param min the smallest
 * @param avg the arithmetic mean
 * @param p50 the median
 * @param p99 the 99th percentile, by nearest rank
 * @param max the largest
 */
record Stats(long count, double min, double avg, double p50, double p99, double max) {
  static Stats of(long[] samples) {
    if (samples.length == 0) {
      return new Stats(0, 0, 0, 0, 0, 0);
    }
    long[] sorted = samples.clone();
    Arrays.sort(sorted);
    return new Stats(
        sorted.length,
        sorted[0],
        Arrays.stream(sorted).average().orElse(0),
        rank(sorted, 0.5),
        rank(sorted, 0.99),
        sorted[sorted.length - 1]);
  }

  private static double rank(long[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }

  /** Returns the largest less the smallest: the paper's jitter. */
  double spread() {
    return max - min;
  }

  /** Returns this in another unit. */
  Stats times(double factor) {
    return new Stats(count, min * factor, avg * factor, p50 * factor, p99 * factor, max * factor);
  }

  /** Returns for each statistic how much more it is here than there. */
  Stats minus(Stats other) {
    return new Stats(
        count, min - other.min, avg - other.avg, p50 - other.p50, p99 - other.p99, max - other.max);
  }

  /**
   * Returns for each statistic by how many percent the largest of several is above the smallest.
   */
  static Stats percentApart(Stats... several) {
    return new Stats(
        several[0].count,
        percent(Arrays.stream(several).mapToDouble(Stats::min).toArray()),
        percent(Arrays.stream(several).mapToDouble(Stats::avg).toArray()),
        percent(Arrays.stream(several).mapToDouble(Stats::p50).toArray()),
        percent(Arrays.stream(several).mapToDouble(Stats::p99).toArray()),
        percent(Arrays.stream(several).mapToDouble(Stats::max).toArray()));
  }

  private static double percent(double[] values) {
    double least = Arrays.stream(values).min().orElse(0);
    double most = Arrays.stream(values).max().orElse(0);
    return least > 0 ? 100 * (most - least) / least : 0;
  }
}
