package dev.takt.cpu;

import dev.takt.cpu.monitor.ObservedLateness;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseTimer;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's thread: looks while there is something to look at, above the priorities of all
 * tasks where that is granted, and sleeps otherwise.
 *
 * <p><b>Thread rule:</b> {@link #look} and {@link #end}: any thread.
 */
final class LookThread extends Thread {
  private static final int PRIORITY = CpuScheduler.HIGHEST_PRIORITY + 5;

  private final OperatingSystem system;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final ReleaseTimer timer;
  private final long periodNs;
  private final ThreadScheduling scheduling;
  private final LongUnaryOperator look;
  private final ObservedLateness lateness = new ObservedLateness();
  private volatile @Nullable Grant grant;
  private boolean hasFailed;

  /**
   * Makes one.
   *
   * @param places gives it the processors that it may use
   * @param look is given the time, and returns when to look again; {@link Supervisor#NEVER}: when
   *     it is woken
   */
  LookThread(ManagerSettings settings, ProcessorsApart places, LongUnaryOperator look) {
    super(null, null, "takt-cpu-manager", 0, false);
    setDaemon(true);
    this.system = settings.system();
    this.clock = settings.clock();
    this.periodNs = settings.lookPeriodNs();
    this.scheduling = places.realtime(ThreadScheduling.fifo(PRIORITY));
    this.look = look;
    this.sleeper = clock.newSleeper();
    this.timer = new ReleaseTimer(clock, sleeper, LeadBounds.NO_SPIN);
  }

  @Override
  public void run() {
    grant = system.schedule(scheduling);
    long dueNs = clock.nanoTime() + periodNs;
    while (!timer.isCancelled()) {
      if (dueNs != Supervisor.NEVER) {
        timer.awaitOrWake(dueNs);
        long lateNs = clock.nanoTime() - dueNs;
        if (lateNs >= 0) { // else it was woken
          lateness.add(lateNs);
        }
      } else {
        timer.awaitWake();
      }
      interrupted(); // an interrupt means nothing here, and would keep it from sleeping
      dueNs = lookOnce(clock.nanoTime());
    }
  }

  private long lookOnce(long nowNs) {
    try {
      return look.applyAsLong(nowNs);
    } catch (OutOfMemoryError e) {
      // the task that has used up the heap is found at one of the next looks
    } catch (RuntimeException | Error e) {
      tellOnce(e); // of a task or a scheduler of others: it must not end the supervision of all
    }
    return nowNs + periodNs;
  }

  private void tellOnce(Throwable fault) {
    if (!hasFailed) {
      hasFailed = true;
      try {
        getUncaughtExceptionHandler().uncaughtException(this, fault);
      } catch (RuntimeException | Error twice) {
        // no other is left to call
      }
    }
  }

  /** Returns what it was granted; null until it has asked. */
  @Nullable Grant grant() {
    return grant;
  }

  /** Returns how late it looks. */
  ObservedLateness lateness() {
    return lateness;
  }

  /** Makes it look soon, and again a period later. */
  void look() {
    sleeper.wake();
  }

  /** Lets it end. */
  void end() {
    timer.cancel();
  }
}
