package dev.takt.bench.measure;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What one measurement found: how long batches of iterations took.
 *
 * @param batchNs the time of each batch in nanoseconds
 * @param iterations the iterations in a batch
 * @param allocBytes the bytes that one iteration allocated on the heap, on the threads that did the
 *     work
 * @param counts what else was counted, by the name that the report gives it
 */
public record Measurement(
    Histogram batchNs, long iterations, double allocBytes, Map<String, Double> counts) {
  /** Copies the counts. */
  public Measurement {
    counts = Map.copyOf(counts);
  }

  /** Makes a figure without further counts. */
  public Measurement(Histogram batchNs, long iterations, double allocBytes) {
    this(batchNs, iterations, allocBytes, Map.of());
  }

  /** Returns this figure with one more count. */
  public Measurement with(String name, double count) {
    Map<String, Double> more = new TreeMap<>(counts);
    more.put(name, count);
    return new Measurement(batchNs, iterations, allocBytes, more);
  }

  /** Returns what was counted under a name. */
  public double count(String name) {
    Double count = counts.get(name);
    if (count == null) {
      throw new IllegalArgumentException("nothing was counted as " + name + ", but " + counts);
    }
    return count;
  }

  /** Makes an empty histogram of batch times: 0.1 percent of resolution, up to a minute. */
  public static Histogram histogram() {
    return new Histogram(60_000_000_000L, 3);
  }

  /** Makes a figure from the moments at which batches ended. */
  public static Measurement of(long[] marksNs, long iterations, double allocBytes) {
    Histogram batchNs = histogram();
    for (int i = 1; i < marksNs.length; i++) {
      batchNs.recordValue(
          Math.clamp(marksNs[i] - marksNs[i - 1], 0, batchNs.getHighestTrackableValue()));
    }
    return new Measurement(batchNs, iterations, allocBytes);
  }

  /**
   * Returns this figure and another one of the same measurement, taken together; further counts
   * stay behind.
   */
  public Measurement and(Measurement other) {
    if (iterations != other.iterations) {
      throw new IllegalArgumentException(
          "batches of " + iterations + " and of " + other.iterations + " do not mix");
    }
    Histogram both = batchNs.copy();
    both.add(other.batchNs);
    return new Measurement(both, iterations, Math.max(allocBytes, other.allocBytes));
  }

  /**
   * Returns this figure by another count: where so many threads worked at the same time and an
   * iteration was one of any of them, now it is one of the same thread.
   */
  public Measurement ofOne(int threads) {
    return new Measurement(batchNs, iterations / threads, allocBytes * threads, counts);
  }

  /** Returns the median time of one iteration in nanoseconds, from the median batch. */
  public double p50() {
    return percentile(50);
  }

  /** Returns a percentile of the batches as nanoseconds for one iteration. */
  public double percentile(double percentile) {
    return Result.rounded(batchNs.getValueAtPercentile(percentile) / (double) iterations);
  }

  /**
   * Returns the mean time of one iteration in nanoseconds: all the time there was, stalls included.
   */
  public double mean() {
    return Result.rounded(batchNs.getMean() / iterations);
  }

  /**
   * Adds a row about a periodic thread: its percentiles, and how many of its periods were late.
   *
   * @param percentile which of them the value is
   */
  public Result addPaced(Report report, String name, double percentile) {
    return report
        .add(name, "ns", percentile(percentile))
        .withPercentiles(batchNs)
        .with("late", Math.round(count("late")))
        .with("periods", Math.round(count("periods")))
        .withAllocBytes(Result.rounded(allocBytes));
  }

  /**
   * Puts what else there is beside a result whose value is the median: mean, tail, batch and
   * allocation.
   */
  public Result addTo(Result result) {
    return result
        .with("mean", mean())
        .with("p99", percentile(99))
        .with("p999", percentile(99.9))
        .with("max", percentile(100))
        .with("batch", iterations)
        .withAllocBytes(Result.rounded(Math.round(allocBytes * 100) / 100.0));
  }
}
