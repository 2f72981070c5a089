package dev.takt.cpu.portable;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;

/**
 * The scheduler's thread of one processor: sleeps through pauses and slots, and hands the baton
 * over in between.
 *
 * <p>It is a thread as any other, with short slices where the system has them, so that it gets the
 * processor soon when it wakes. When a filter has made it wake before a task is due, it spins for
 * the rest.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class BatonThread extends Thread {
  private final OperatingSystem system;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final ThreadScheduling scheduling;
  private final FilterChain filters;
  private final Baton baton;
  private volatile boolean ended;

  /** Whether a task has asked, given back or left since the last step. */
  private volatile boolean changed;

  /**
   * Makes one; {@link #start} lets it begin.
   *
   * @param scheduling what it asks the system for
   * @param filters adapt its intervals; they are its own
   */
  public BatonThread(
      OperatingSystem system,
      NanoClock clock,
      ThreadScheduling scheduling,
      List<RealTimeFilter> filters) {
    super(null, null, "takt-cpu-baton", 0, false);
    setDaemon(true);
    setPriority(MAX_PRIORITY);
    this.system = system;
    this.clock = clock;
    this.scheduling = scheduling;
    this.filters =
        new FilterChain(
            filters, thrown -> getUncaughtExceptionHandler().uncaughtException(this, thrown));
    this.baton = new Baton(this.filters);
    this.sleeper = clock.newSleeper();
  }

  /** Adds a task, which has a cost of 1 ns until it is told another one. */
  public Turn newTurn() {
    Turn turn = new Turn(clock, this::change);
    turn.become(1, 1, 1);
    baton.add(turn);
    return turn;
  }

  /** Lets a task take part no more. */
  public void remove(Turn turn) {
    turn.leave();
    baton.remove(turn);
  }

  /** Returns how often a task has kept the baton beyond its slot. */
  public long lost() {
    return baton.lost();
  }

  /** Lets it end. */
  public void end() {
    ended = true;
    change();
  }

  @Override
  public void run() {
    system.schedule(scheduling);
    while (!ended) {
      interrupted(); // an interrupt means nothing here, and would keep it from sleeping
      changed = false;
      long nowNs = clock.nanoTime();
      long untilNs = baton.step(nowNs);
      if (untilNs == Baton.NEVER) {
        sleeper.sleep();
      } else if (baton.holder() != null) {
        sleeper.sleepUntil(untilNs);
      } else {
        pause(nowNs, untilNs);
      }
    }
  }

  /** Sleeps for what the filters leave of a pause, and spins for the rest, if there is any. */
  private void pause(long nowNs, long untilNs) {
    long endNs = nowNs + filters.apply(Interval.PAUSE, 0, untilNs - nowNs);
    sleeper.sleepUntil(endNs);
    long wokenNs = clock.nanoTime();
    if (wokenNs - endNs >= 0) {
      filters.ended(Interval.PAUSE, endNs, wokenNs);
      while (!changed && clock.nanoTime() - untilNs < 0) {
        clock.onSpinWait(untilNs);
      }
    }
  }

  private void change() {
    changed = true;
    sleeper.wake();
  }
}
