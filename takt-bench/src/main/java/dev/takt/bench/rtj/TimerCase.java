package dev.takt.bench.rtj;

import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.rtsj.event.BoundHandler;
import dev.takt.rtsj.event.HandlerSettings;
import dev.takt.rtsj.timer.Timer;
import dev.takt.rtsj.timer.TimerClock;
import dev.takt.rtsj.timer.TimerService;
import dev.takt.rtsj.timer.TimerSettings;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Of RTJPerf: how late the handler of a timer that fires once runs, when the timer has a delay (one
 * shot) and when it has a moment of the wall clock (absolute).
 */
final class TimerCase implements Case {
  /** The delays are shorter than the paper's frames; it has no test of this. */
  private static final long PERIOD_NS = 10_000_000;

  /** Of each variant: nearly all of their way is the same. */
  private static final int WARM_UP_FRAMES = CaseRunner.WARM_UP_FRAMES * 3 / 5;

  private static final long LIMIT_S = 5;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    CaseRunner.Block oneShot = (_, frames, into) -> timers(runner, false, frames, into);
    CaseRunner.Block absolute = (_, frames, into) -> timers(runner, true, frames, into);
    runner.warmUp(CaseRunner.WARM_UP_PERIOD_NS, WARM_UP_FRAMES, oneShot, absolute);
    runner.measure(
        PERIOD_NS,
        new CaseRunner.Variant("one-shot.", "one-shot", oneShot),
        new CaseRunner.Variant("absolute.", "one-shot", absolute));
  }

  private static void timers(CaseRunner runner, boolean absolute, Frames frames, Samples into)
      throws InterruptedException {
    Semaphore handled = new Semaphore(0);
    TimerClock clock = absolute ? TimerClock.WALL : TimerClock.MONOTONIC;
    long[] ranNs = new long[1];
    long[] lateNs = new long[frames.count()];
    AsyncEvent event = new AsyncEvent("once");
    try (TimerService service =
            TimerService.start(
                TimerSettings.of("timer", runner.scheduling(CaseRunner.PRIORITY - 1)));
        BoundHandler handler =
            BoundHandler.start(
                HandlerSettings.of("handler", runner.scheduling(CaseRunner.PRIORITY)),
                self -> {
                  ranNs[0] = clock.nowNs();
                  handled.release();
                })) {
      event.addHandler(handler);
      for (int i = 0; i < lateNs.length; i++) {
        long dueNs = clock.nowNs() + frames.periodNs();
        try (Timer timer =
            absolute ? service.at(event, clock, dueNs) : service.after(event, frames.periodNs())) {
          timer.start();
          if (!handled.tryAcquire(LIMIT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a timer has not fired within " + LIMIT_S + " s");
          }
        }
        lateNs[i] = Math.max(0, ranNs[0] - dueNs);
      }
    }
    into.add("late", lateNs);
  }
}
