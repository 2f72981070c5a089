package dev.takt.bench.rtj;

import dev.takt.cli.report.Result;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.function.ToDoubleFunction;

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

  /** Puts all but the count beside a result, under names that begin so. */
  Result addTo(Result result, String prefix) {
    return result
        .with(prefix + "min", Result.rounded(min))
        .with(prefix + "avg", Result.rounded(avg))
        .with(prefix + "p50", Result.rounded(p50))
        .with(prefix + "p99", Result.rounded(p99))
        .with(prefix + "max", Result.rounded(max));
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
        percent(several, Stats::min),
        percent(several, Stats::avg),
        percent(several, Stats::p50),
        percent(several, Stats::p99),
        percent(several, Stats::max));
  }

  private static double percent(Stats[] several, ToDoubleFunction<Stats> figure) {
    DoubleSummaryStatistics all = Arrays.stream(several).mapToDouble(figure).summaryStatistics();
    return all.getMin() > 0 ? 100 * (all.getMax() - all.getMin()) / all.getMin() : 0;
  }
}
