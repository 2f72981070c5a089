package dev.takt.cli.doctor;

import dev.takt.realtime.internal.Await;
import dev.takt.realtime.os.Sleeper;
import org.HdrHistogram.Histogram;

/**
 * How long a thread that sleeps needs to run after another one has woken it: from before {@code
 * wake} to after {@code sleep}. The waker sleeps between two hand-overs, so that neither thread
 * ever runs for long.
 */
final class HandoverMeter {
  private static final long PACE_NS = 250_000;

  /**
   * How much longer than asked for it goes on for a first result, on a machine that is very busy.
   */
  private static final long PATIENCE_NS = 5_000_000_000L;

  private final GrantedSleep bench;
  private final Sleeper woken;
  private final Histogram ns = TimeMeasurement.emptyHistogram();

  /** When the waker called; 0 if the woken thread has seen it. */
  private volatile long calledNs;

  private volatile boolean seen;
  private volatile boolean done;

  private HandoverMeter(GrantedSleep bench) {
    this.bench = bench;
    this.woken = bench.newSleeper();
  }

  static Histogram measure(GrantedSleep bench, long durationNs) {
    HandoverMeter meter = new HandoverMeter(bench);
    Thread thread = Threads.start("doctor-woken", meter::receive);
    try {
      Threads.runAndWait("doctor-waker", () -> meter.send(durationNs));
    } finally {
      meter.done = true;
      meter.woken.wake();
      Await.uninterruptibly(thread::join);
    }
    return meter.ns;
  }

  private void send(long durationNs) {
    Sleeper pace = bench.newSleeper();
    bench.schedule();
    long endNs = System.nanoTime() + durationNs;
    for (long nowNs; (nowNs = System.nanoTime()) - endNs < (seen ? 0 : PATIENCE_NS); ) {
      pace.sleepUntil(nowNs + PACE_NS);
      if (calledNs == 0) {
        calledNs = System.nanoTime();
        woken.wake();
      }
    }
  }

  private void receive() {
    bench.schedule();
    while (!done) {
      woken.sleep();
      long nowNs = System.nanoTime();
      if (calledNs != 0) {
        TimeMeasurement.record(ns, nowNs - calledNs);
        calledNs = 0;
        seen = true;
      }
    }
  }
}
