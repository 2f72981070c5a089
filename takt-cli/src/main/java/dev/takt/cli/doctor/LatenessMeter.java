package dev.takt.cli.doctor;

import dev.takt.realtime.os.Sleeper;
import org.HdrHistogram.Histogram;

/**
 * How late a thread wakes up that sleeps until absolute times, period after period, as cyclictest
 * measures it. Wake-ups that are over before the thread wakes up are left out; there is at least
 * one.
 */
final class LatenessMeter {
  /** Short enough for thousands of wake-ups a second, long enough to sleep in most of it. */
  static final long PERIOD_NS = 500_000;

  private LatenessMeter() {}

  static Histogram measure(GrantedSleep bench, long durationNs) {
    Histogram late = TimeMeasurement.emptyHistogram();
    Threads.runAndWait("doctor-lateness", () -> run(bench, durationNs, late));
    return late;
  }

  private static void run(GrantedSleep bench, long durationNs, Histogram late) {
    Sleeper sleeper = bench.newSleeper();
    bench.schedule();
    long nowNs = System.nanoTime();
    long endNs = nowNs + durationNs;
    long dueNs = nowNs + PERIOD_NS;
    do {
      while ((nowNs = System.nanoTime()) - dueNs < 0) {
        sleeper.sleepUntil(dueNs);
      }
      TimeMeasurement.record(late, nowNs - dueNs);
      dueNs += PERIOD_NS * (1 + (nowNs - dueNs) / PERIOD_NS);
    } while (dueNs - endNs < 0);
  }
}
