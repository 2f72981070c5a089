package dev.takt.bench.pace;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.Measurement;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Records when the releases of one periodic thread begin, and how long after it was due each has
 * ended, without coordinated omission: a gap or a response of several periods counts for each
 * release that should have begun in it.
 *
 * <p><b>Thread rule:</b> {@link #released} for the measured thread; {@link #await} for any thread,
 * and {@link #figure} too, after that.
 */
final class Pace {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final long periodNs;
  private final long warmupNs;
  private final long measureNs;
  private final Histogram gapsNs = Measurement.histogram();
  private final Histogram responsesNs = Measurement.histogram();
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean started;
  private boolean measuring;
  private long firstNs;
  private long lastScheduledNs;
  private long lastStartNs;
  private long periods;
  private long misses;
  private long releases;
  private long fromBytes;
  private long bytes;

  /**
   * Makes a recorder.
   *
   * @param periodNs the time from one release to the next
   * @param warmupNs how long nothing counts
   * @param measureNs how long everything counts after that
   */
  Pace(long periodNs, long warmupNs, long measureNs) {
    this.periodNs = periodNs;
    this.warmupNs = warmupNs;
    this.measureNs = measureNs;
  }

  /** A release has ended; allocates nothing. */
  void released(long scheduledNs, long startNs, long endNs) {
    if (!started) {
      started = true;
      firstNs = startNs;
    } else if (done.getCount() != 0) {
      count(scheduledNs, startNs, endNs);
    }
    lastScheduledNs = scheduledNs;
    lastStartNs = startNs;
  }

  private void count(long scheduledNs, long startNs, long endNs) {
    record(gapsNs, startNs - lastStartNs);
    record(responsesNs, endNs - scheduledNs);
    long passed = (scheduledNs - lastScheduledNs) / periodNs;
    periods += passed;
    misses += passed - 1 + (startNs - scheduledNs >= periodNs ? 1 : 0);
    releases++;
    long bytesNow = THREADS.getCurrentThreadAllocatedBytes();
    if (startNs - firstNs >= warmupNs + measureNs) {
      bytes = bytesNow - fromBytes;
      done.countDown();
    } else if (!measuring && startNs - firstNs >= warmupNs) {
      // Until here everything was done as it is from now on, so that nothing is done for the first
      // time.
      measuring = true;
      gapsNs.reset();
      responsesNs.reset();
      periods = 0;
      misses = 0;
      releases = 0;
      fromBytes = bytesNow;
    }
  }

  private void record(Histogram histogram, long ns) {
    long valueNs = Math.clamp(ns, 0, histogram.getHighestTrackableValue());
    histogram.recordValueWithExpectedInterval(valueNs, periodNs);
  }

  /** Waits until everything is measured; false if that takes more than 30 s too long. */
  boolean await() throws InterruptedException {
    return done.await(TimeUnit.NANOSECONDS.toSeconds(warmupNs + measureNs) + 30, TimeUnit.SECONDS);
  }

  /** Returns gaps between beginnings in nanoseconds, periods, and misses. */
  Measurement gaps() {
    return figure(gapsNs);
  }

  /** Returns the times from when releases were due to their ends, periods, and misses. */
  Measurement responses() {
    return figure(responsesNs);
  }

  private Measurement figure(Histogram histogram) {
    return new Measurement(histogram, 1, bytes / (double) releases)
        .with("periods", periods)
        .with("misses", misses);
  }
}
