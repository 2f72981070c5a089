package dev.takt.samples;

import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.rtsj.event.AsyncEventHandler;
import dev.takt.rtsj.event.BoundHandler;
import dev.takt.rtsj.event.HandlerPool;
import dev.takt.rtsj.event.HandlerSettings;
import dev.takt.rtsj.event.PoolSettings;
import dev.takt.rtsj.event.SignalHappening;
import dev.takt.rtsj.timer.Timer;
import dev.takt.rtsj.timer.TimerClock;
import dev.takt.rtsj.timer.TimerService;
import dev.takt.rtsj.timer.TimerSettings;
import java.util.concurrent.CountDownLatch;

/**
 * Something happens, and handlers run on real-time threads: one with a thread of its own, because
 * it must be quick, and one that borrows a thread of a pool. The firing side, a thread, a timer or
 * a signal, waits for none of them.
 *
 * <p>You will see:
 *
 * <pre>
 * ticks: 3, alarms: 1
 * a signal would raise the alarm, too: true
 * </pre>
 */
public final class Sample13EventsAndTimers {
  private static final long PERIOD_NS = 1_000_000;

  private Sample13EventsAndTimers() {}

  /** Runs the sample. */
  public static void main(String[] args) throws InterruptedException {
    AsyncEvent tick = new AsyncEvent("tick");
    AsyncEvent alarm = new AsyncEvent("alarm");
    CountDownLatch ticks = new CountDownLatch(3);
    CountDownLatch alarms = new CountDownLatch(1);

    try (TimerService timers =
            TimerService.start(TimerSettings.of("timers", ThreadScheduling.fifo(40)));
        HandlerPool pool =
            HandlerPool.start(PoolSettings.of("pool", 1, ThreadScheduling.fifo(20)));
        BoundHandler quick =
            BoundHandler.start(
                HandlerSettings.of("quick", ThreadScheduling.fifo(30)),
                handler -> alarms.countDown())) {
      AsyncEventHandler steady =
          pool.handler(
              HandlerSettings.of("steady", ThreadScheduling.fifo(10)),
              handler -> ticks.countDown());
      tick.addHandler(steady);
      alarm.addHandler(quick);

      // Every millisecond, and once when the time of day comes, even if the clock is set meanwhile.
      Timer periodic = timers.periodic(tick, 0, PERIOD_NS);
      TimerClock wall = TimerClock.WALL;
      Timer once = timers.at(alarm, wall, wall.nowNs() + PERIOD_NS);
      periodic.start();
      once.start();
      ticks.await();
      alarms.await();
      periodic.stop();
      IO.println("ticks: 3, alarms: " + alarm.fireCount());

      // What the system does not give is a value: signal.shortfall() says why.
      try (SignalHappening signal = SignalHappening.bind("USR1", alarm)) {
        IO.println("a signal would raise the alarm, too: " + signal.isBound());
      }
    }
  }
}
