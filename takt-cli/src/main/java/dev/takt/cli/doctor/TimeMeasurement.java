package dev.takt.cli.doctor;

import org.HdrHistogram.Histogram;

/**
 * What was measured, without a verdict.
 *
 * @param name the name of the result, unique
 * @param what for people
 * @param ns times in nanoseconds
 */
record TimeMeasurement(String name, String what, Histogram ns) {
  /** Longer times count as this long: an hour. */
  static final long MAX_NS = 3_600_000_000_000L;

  /** An empty histogram for times of up to an hour, allocated in full. */
  static Histogram emptyHistogram() {
    return new Histogram(1, MAX_NS, 3);
  }

  /** Records a time, within what a histogram takes. Does not allocate. */
  static void record(Histogram histogram, long timeNs) {
    histogram.recordValue(Math.clamp(timeNs, 0, MAX_NS));
  }

  double us(double percentile) {
    return ns.getValueAtPercentile(percentile) / 1e3;
  }

  double maxUs() {
    return ns.getMaxValue() / 1e3;
  }
}
