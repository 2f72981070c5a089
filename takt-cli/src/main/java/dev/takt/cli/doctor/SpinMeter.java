package dev.takt.cli.doctor;

import dev.takt.realtime.os.Sleeper;
import org.HdrHistogram.Histogram;

/**
 * For how long a thread stands still that wants to run all the time: the gaps between two looks at
 * the clock. What makes them is not this program's: interrupts, the host, other threads.
 *
 * <p>It sleeps for a tenth of the time, so that the kernel does not throttle it for the gaps that
 * throttling makes.
 */
final class SpinMeter {
  private static final long SPIN_NS = 9_000_000;
  private static final long SLEEP_NS = 1_000_000;

  private SpinMeter() {}

  static Histogram measure(GrantedSleep bench, long durationNs) {
    Histogram gaps = TimeMeasurement.emptyHistogram();
    Threads.runAndWait("doctor-spins", () -> run(bench, durationNs, gaps));
    return gaps;
  }

  private static void run(GrantedSleep bench, long durationNs, Histogram gaps) {
    Sleeper sleeper = bench.newSleeper();
    bench.schedule();
    long nowNs = System.nanoTime();
    long endNs = nowNs + durationNs;
    while (nowNs - endNs < 0) {
      long restNs = nowNs + SPIN_NS;
      while (nowNs - restNs < 0) {
        long nextNs = System.nanoTime();
        TimeMeasurement.record(gaps, nextNs - nowNs);
        nowNs = nextNs;
      }
      long wakeNs = nowNs + SLEEP_NS;
      while ((nowNs = System.nanoTime()) - wakeNs < 0) {
        sleeper.sleepUntil(wakeNs);
      }
    }
  }
}
