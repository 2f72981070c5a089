package dev.takt.samples.trading;

import dev.takt.reflex.ReleaseOutcome;
import org.HdrHistogram.Histogram;

/**
 * Measures the releases of one task: how long after each event was written the release that took it
 * had finished, and for an active task how regular its releases are. Times are clamped to {@link
 * #MAX_NS}, never refused.
 *
 * <p><b>Thread rule:</b> {@link #begin}, {@link #add} and {@link #onRelease} on the thread that
 * runs the task, one at a time; the histograms from any thread once the runtime has stopped.
 */
final class TaskMeter {
  /** The longest time that is told from longer ones. */
  static final long MAX_NS = 60_000_000_000L;

  private static final int DIGITS = 3;

  final String name;
  final Histogram response = new Histogram(MAX_NS, DIGITS);
  final Histogram interArrival = new Histogram(MAX_NS, DIGITS);
  final Histogram processing = new Histogram(MAX_NS, DIGITS);
  final Histogram lateness = new Histogram(MAX_NS, DIGITS);

  private final long[] writtenNs;
  private int count;
  private long lastStartNs;
  private int epoch;

  /**
   * Makes a meter.
   *
   * @param maxEvents how many events a release takes at most; more are not measured
   */
  TaskMeter(String name, int maxEvents) {
    this.name = name;
    writtenNs = new long[maxEvents];
  }

  /** A release begins, or begins again after a conflict. */
  void begin() {
    count = 0;
  }

  /** The release has taken an event that was written then. */
  void add(long writtenAtNs) {
    if (count < writtenNs.length) {
      writtenNs[count++] = writtenAtNs;
    }
  }

  /** The release has ended. Measurements of an older epoch are forgotten: they were warm-up. */
  void onRelease(long scheduledNs, long startNs, long endNs, ReleaseOutcome outcome, int epochNow) {
    if (epoch != epochNow) {
      epoch = epochNow;
      lastStartNs = 0;
      response.reset();
      interArrival.reset();
      processing.reset();
      lateness.reset();
    }
    if (lastStartNs != 0) {
      record(interArrival, startNs - lastStartNs);
    }
    lastStartNs = startNs;
    record(processing, endNs - startNs);
    record(lateness, startNs - scheduledNs);
    if (outcome == ReleaseOutcome.COMMITTED) {
      for (int i = 0; i < count; i++) {
        record(response, endNs - writtenNs[i]);
      }
    }
    count = 0;
  }

  private static void record(Histogram histogram, long valueNs) {
    histogram.recordValue(Math.clamp(valueNs, 0, MAX_NS));
  }
}
