package dev.takt.rtsj.timer;

import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.Sleeper;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.rtsj.event.AsyncEvent;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes timers, and fires their events on one real-time thread when their time has come.
 *
 * <p><b>Purpose.</b> One-shot, absolute and periodic timers, on any number of which one thread
 * waits.
 *
 * <p><b>Clocks that can be set.</b> A timer at a time of the wall clock fires when that clock shows
 * the time, also if it was set meanwhile. The service sleeps by its own steady clock and looks at
 * the other one every {@link TimerSettings#clockCheckNs}: after the wall clock was set forward, or
 * the machine has woken from suspension, a timer is late by that much at most. Set back, its timers
 * wait until it shows their time again; periodic ones stand still until then.
 *
 * <p><b>How a time is hit.</b> The thread is woken a learned lead before, and spins for the rest,
 * as {@link ReleaseTimer} has it, within {@link TimerSettings#lead}. A timer that is started while
 * it spins for another one waits for that: {@code maxLeadNs} at most.
 *
 * <p><b>Guarantees.</b> (1) Nothing fires early. (2) Changes of timers are O(1) for the caller,
 * which never waits; the service's thread does the rest in O(log n). (3) The thread does nothing
 * but fire events, which never blocks: handlers run on threads of their own. (4) A clock whose
 * reading throws holds up its own timers only, and is counted ({@link #clockFailures}).
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory.</b> Making a timer allocates; nothing else does.
 */
public final class TimerService implements AutoCloseable {
  private final TimerSettings settings;
  private final TimerClock clock;
  private final TimerEngine engine;
  private final Sleeper sleeper;
  private final ReleaseTimer timer;
  private final RealtimeThread thread;

  private TimerService(TimerSettings settings) {
    this.settings = settings;
    clock = TimerClock.of(settings.clock());
    sleeper = settings.clock().newSleeper();
    engine =
        new TimerEngine(
            settings.clock(), settings.maxTimers(), settings.clockCheckNs(), sleeper::wake);
    timer = new ReleaseTimer(settings.clock(), sleeper, settings.lead());
    thread = RealtimeThread.start(settings.name(), settings.scheduling(), self -> serve());
  }

  /** Makes a service and starts its thread. */
  public static TimerService start(TimerSettings settings) {
    return new TimerService(Objects.requireNonNull(settings, "settings"));
  }

  /**
   * Makes a timer that fires an event once, a delay after its start.
   *
   * @param delayNs in nanoseconds of the service's clock, 0 to {@link Timer#MAX_DELAY_NS}
   * @throws IllegalStateException if there are {@code maxTimers} already, or it is closed
   */
  public Timer after(AsyncEvent event, long delayNs) {
    return make(event, clock, true, delayNs, 0);
  }

  /**
   * Makes a timer that fires an event once, when a clock shows a time.
   *
   * @param timeNs by that clock; if it has passed, it fires when it is started; no farther than
   *     {@link Timer#MAX_DELAY_NS} from what the clock shows
   * @throws IllegalStateException if there are {@code maxTimers} already, or it is closed
   */
  public Timer at(AsyncEvent event, TimerClock clock, long timeNs) {
    return make(event, clock, false, timeNs, 0);
  }

  /**
   * Makes a timer that fires an event again and again.
   *
   * @param startDelayNs from its start to the first tick, in nanoseconds of the service's clock, 0
   *     to {@link Timer#MAX_DELAY_NS}
   * @param intervalNs from tick to tick, in nanoseconds
   * @throws IllegalStateException if there are {@code maxTimers} already, or it is closed
   */
  public Timer periodic(AsyncEvent event, long startDelayNs, long intervalNs) {
    return make(event, clock, true, startDelayNs, intervalNs);
  }

  /**
   * Makes a timer that fires an event again and again, from when a clock shows a time.
   *
   * @param startNs the first tick, by that clock; no farther than {@link Timer#MAX_DELAY_NS} from
   *     what it shows
   * @param intervalNs from tick to tick, in nanoseconds
   * @throws IllegalStateException if there are {@code maxTimers} already, or it is closed
   */
  public Timer periodicAt(AsyncEvent event, TimerClock clock, long startNs, long intervalNs) {
    return make(event, clock, false, startNs, intervalNs);
  }

  private Timer make(
      AsyncEvent event, TimerClock by, boolean relative, long startNs, long intervalNs) {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(by, "clock");
    if (timer.isCancelled()) {
      throw new IllegalStateException("the timer service " + settings.name() + " is closed");
    }
    return engine.make(event, by, relative, startNs, intervalNs);
  }

  /** Returns what it was made with. */
  public TimerSettings settings() {
    return settings;
  }

  /** Returns how its thread is scheduled. */
  public Grant grant() {
    return thread.grant();
  }

  /** Returns how many timers there are that have not been closed. */
  public int timerCount() {
    return engine.timerCount();
  }

  /**
   * Returns how often the reading of a clock has thrown while timers by it were waiting. They wait
   * on, and the clock is read again after {@link TimerSettings#clockCheckNs}; timers by other
   * clocks are not held up.
   */
  public long clockFailures(TimerClock by) {
    return engine.failures(Objects.requireNonNull(by, "by"));
  }

  /** Returns what the reading of a clock has thrown last, if it has. */
  public Optional<Throwable> clockFailure(TimerClock by) {
    return Optional.ofNullable(engine.failure(Objects.requireNonNull(by, "by")));
  }

  /**
   * Ends its thread and waits for that, or until the caller is interrupted (its interrupt status
   * stays set). No timer of it fires any more, and none can be started.
   */
  @Override
  public void close() {
    engine.close();
    timer.cancel();
    thread.close();
  }

  private void serve() {
    try {
      long wakeNs = fire();
      while (!timer.isCancelled()) {
        wakeNs = awaitAndFire(wakeNs);
      }
    } catch (Throwable e) {
      engine.close(); // no timer is to be started that cannot fire
      timer.cancel();
      throw e;
    }
  }

  /**
   * A method of its own, from the sleep to the fire: the loop is begun once in a thread's life, too
   * seldom to be compiled.
   */
  private long awaitAndFire(long wakeNs) {
    Thread.interrupted(); // a set interrupt status would end each sleep at once
    if (wakeNs == TimerEngine.NEVER) {
      sleeper.sleep();
    } else {
      timer.awaitOrWake(wakeNs);
    }
    return fire();
  }

  /** Fires what is due, unless this is closed, and returns when to look again. */
  private long fire() {
    return timer.isCancelled() ? TimerEngine.NEVER : engine.poll();
  }
}
