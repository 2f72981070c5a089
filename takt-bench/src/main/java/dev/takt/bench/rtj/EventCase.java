package dev.takt.bench.rtj;

import dev.takt.rtsj.ThreadKind;
import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.rtsj.event.AsyncEventHandler;
import dev.takt.rtsj.event.BoundHandler;
import dev.takt.rtsj.event.HandlerLogic;
import dev.takt.rtsj.event.HandlerPool;
import dev.takt.rtsj.event.HandlerSettings;
import dev.takt.rtsj.event.PoolSettings;
import dev.takt.rtsj.timer.Timer;
import dev.takt.rtsj.timer.TimerClock;
import dev.takt.rtsj.timer.TimerService;
import dev.takt.rtsj.timer.TimerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * 3.2.3: the jitter of events that a periodic timer fires, seen by a pooled (the paper's unbound)
 * and by a bound handler, without and with contending threads. 3.3.4: the latency from a fire to
 * the handler.
 *
 * @param timed true: events of a timer (3.2.3); false: events of a thread (3.3.4)
 */
record EventCase(boolean timed) implements Case {
  /**
   * Priority of the firing thread: below the handlers, so that a fire is answered before it
   * returns.
   */
  private static final int FIRING_PRIORITY = CaseRunner.PRIORITY - 1;

  private static final int POOL_THREADS = 2;
  private static final long SPARE_NS = 5_000_000_000L;

  /** Of each variant: much of their way is the same. */
  private static final int WARM_UP_FRAMES = CaseRunner.WARM_UP_FRAMES * 3 / 4;

  /** The same: with and without contending threads it is all the same way. */
  private static final int TIMED_WARM_UP_FRAMES = WARM_UP_FRAMES / 2;

  @Override
  public void measure(CaseRunner runner) throws Exception {
    List<CaseRunner.Variant> variants = new ArrayList<>();
    for (int background : timed ? new int[] {0, Background.THREADS} : new int[] {0}) {
      for (boolean bound : new boolean[] {false, true}) {
        String prefix =
            (bound ? "bound" : "pooled") + (timed ? "-" + background + "-threads." : ".");
        CaseRunner.Block block =
            (_, frames, into) -> events(runner, bound, background, frames, into);
        // One floor for both: in C a handler has a thread in any case.
        variants.add(new CaseRunner.Variant(prefix, bound ? "" : "events", background, block));
      }
    }
    runner.warmUp(
        CaseRunner.WARM_UP_PERIOD_NS,
        timed ? TIMED_WARM_UP_FRAMES : WARM_UP_FRAMES,
        variants.stream().map(CaseRunner.Variant::block).toArray(CaseRunner.Block[]::new));
    runner.measure(variants.toArray(CaseRunner.Variant[]::new));
    for (CaseRunner.Variant each : variants) {
      if (each.floor().isEmpty()) {
        runner
            .samples()
            .copy("floor." + each.prefix().replace("bound", "pooled"), "floor." + each.prefix());
      }
    }
  }

  private void events(CaseRunner runner, boolean bound, int background, Frames frames, Samples into)
      throws InterruptedException {
    Log log = new Log(frames.count());
    AsyncEvent event = new AsyncEvent("frame");
    HandlerSettings settings =
        HandlerSettings.of("handler", runner.scheduling(CaseRunner.PRIORITY));
    if (bound) {
      BoundHandler handler = BoundHandler.start(settings, log);
      runner.granted(handler.grant());
      handled(runner, event, handler, background, frames, log, into);
    } else {
      try (HandlerPool pool =
          HandlerPool.start(
              PoolSettings.of("pool", POOL_THREADS, runner.scheduling(CaseRunner.PRIORITY)))) {
        pool.grants().forEach(runner::granted);
        handled(runner, event, pool.handler(settings, log), background, frames, log, into);
      }
    }
  }

  private void handled(
      CaseRunner runner,
      AsyncEvent event,
      AsyncEventHandler handler,
      int background,
      Frames frames,
      Log log,
      Samples into)
      throws InterruptedException {
    try (handler) {
      event.addHandler(handler);
      if (timed) {
        byTimer(runner, event, background, frames, log);
        into.add("event", CaseRunner.gaps(log.stampsNs));
      } else {
        into.add(
            "latency", CaseRunner.differences(log.stampsNs, byThread(runner, event, frames, log)));
      }
    }
  }

  private static void byTimer(
      CaseRunner runner, AsyncEvent event, int background, Frames frames, Log log)
      throws InterruptedException {
    long originNs = CaseRunner.originNs(frames);
    Background lower = Background.start(runner, background, frames, originNs);
    try (TimerService service =
            TimerService.start(TimerSettings.of("timer", runner.scheduling(FIRING_PRIORITY)));
        Timer timer =
            service.periodicAt(
                event,
                TimerClock.MONOTONIC,
                CaseRunner.nextNs(originNs, frames),
                frames.periodNs())) {
      runner.granted(service.grant());
      timer.start();
      log.await(frames);
    } finally {
      lower.stop();
    }
  }

  private static long[] byThread(CaseRunner runner, AsyncEvent event, Frames frames, Log log)
      throws InterruptedException {
    long[] firesNs = new long[frames.count()];
    FrameThread.Body body =
        frame -> {
          firesNs[frame] = System.nanoTime();
          event.fire();
        };
    long originNs = CaseRunner.originNs(frames);
    new FrameThread(runner, ThreadKind.REALTIME, FIRING_PRIORITY, frames, originNs, body).join();
    log.await(frames);
    return firesNs;
  }

  /** The handler: it logs when it runs. */
  private static final class Log implements HandlerLogic {
    private final long[] stampsNs;
    private final CountDownLatch done = new CountDownLatch(1);
    private int next = -CaseRunner.LEAD_IN;

    Log(int count) {
      stampsNs = new long[count];
    }

    @Override
    public void handle(AsyncEventHandler handler) {
      long nowNs = System.nanoTime();
      if (next < stampsNs.length) {
        stampsNs[Math.max(0, next)] = nowNs;
        next++;
        if (next == stampsNs.length) {
          done.countDown();
        }
      }
    }

    void await(Frames frames) throws InterruptedException {
      if (!done.await(
          frames.durationNs() + CaseRunner.LEAD_IN * frames.periodNs() + SPARE_NS,
          TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(
            "only " + next + " of " + stampsNs.length + " events were handled");
      }
    }
  }
}
