package dev.takt.samples.trading;

import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseOutcome;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Measures the releases of one task: how long after each event was written the release that took it
 * had finished, and for an active task how regular its releases are. Times are clamped to {@link
 * #MAX_NS}, never refused.
 *
 * <p><b>Thread rule:</b> {@link #onRelease} on the thread that runs the task, one at a time; the
 * rest from any thread once the runtime has stopped.
 */
final class TaskMeter {
  /** Longer times count as this long. */
  static final long MAX_NS = 60_000_000_000L;

  private static final int DIGITS = 3;

  final String name;
  final ReleaseNotes notes;
  final Histogram response = new Histogram(MAX_NS, DIGITS);
  final Histogram interArrival = new Histogram(MAX_NS, DIGITS);
  final Histogram processing = new Histogram(MAX_NS, DIGITS);
  final Histogram lateness = new Histogram(MAX_NS, DIGITS);

  private long done;
  private long lastStartNs;
  private int epoch;

  /**
   * Makes a meter.
   *
   * @param maxEvents how many events a release takes at most; more are not measured
   */
  TaskMeter(String name, int maxEvents) {
    this.name = name;
    notes = new ReleaseNotes(name, maxEvents);
  }

  /** Makes one that was filled in another process. */
  TaskMeter(String name, long done) {
    this(name, 0);
    this.done = done;
  }

  /** All that it measures, in one order. */
  List<Histogram> histograms() {
    return List.of(response, interArrival, processing, lateness);
  }

  /** The release has ended. Measurements of an older epoch are forgotten: they were warm-up. */
  void onRelease(EndedRelease release, int epochNow) {
    if (epoch != epochNow) {
      epoch = epochNow;
      lastStartNs = 0;
      response.reset();
      interArrival.reset();
      processing.reset();
      lateness.reset();
    }
    long startNs = release.beginNs();
    long endNs = release.endNs();
    if (lastStartNs != 0) {
      record(interArrival, startNs - lastStartNs);
    }
    lastStartNs = startNs;
    record(processing, endNs - startNs);
    record(lateness, startNs - release.dueNs());
    if (release.outcome() == ReleaseOutcome.COMPLETED) {
      for (int i = 0; i < notes.takenEvents(); i++) {
        record(response, endNs - notes.writtenNs(i));
      }
      done += notes.timesDone();
    }
    notes.begin();
  }

  /** Returns how often committed releases did what the task is there for, warm-up included. */
  long done() {
    return done;
  }

  private static void record(Histogram histogram, long valueNs) {
    histogram.recordValue(Math.clamp(valueNs, 0, MAX_NS));
  }
}
