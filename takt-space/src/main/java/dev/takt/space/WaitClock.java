package dev.takt.space;

import java.util.concurrent.locks.LockSupport;

/**
 * The time by which the timed operations of a space wait. A space takes the machine's; a test or a
 * simulation can give another one, which also wakes those that wait when its time has come.
 *
 * <p><b>Thread rule:</b> any thread may call it.
 */
public interface WaitClock {
  /**
   * A wait of 146 years and more is one without end: parked without a timer, which would cost a
   * virtual thread an entry in a queue.
   */
  long FOR_EVER_NS = Long.MAX_VALUE / 2;

  /** Returns the time in nanoseconds since a fixed but arbitrary moment; it never goes back. */
  long nanoTime();

  /**
   * Parks the caller until {@code durationNs} of this clock have passed, it is unparked ({@link
   * #unpark}) or it is interrupted; it may return early for no reason.
   *
   * @param durationNs how long at most; zero and less return at once, and {@link #FOR_EVER_NS} and
   *     more are without end
   */
  void parkNanos(long durationNs);

  /**
   * Returns what stands for the caller while it waits by this clock: the thread, or what the clock
   * lets wait instead of threads. A space keeps it and hands it to {@link #unpark}.
   */
  default Object waiter() {
    return Thread.currentThread();
  }

  /**
   * Ends a wait by this clock, the next one if its waiter does not wait now. A space wakes its
   * waiters by this only, so that a clock which jumps knows who is awake.
   *
   * @param waiter whose, as {@link #waiter} has returned it to that caller
   */
  default void unpark(Object waiter) {
    LockSupport.unpark((Thread) waiter);
  }

  /** Returns the machine's clock: {@link System#nanoTime}. */
  static WaitClock system() {
    return SystemWaitClock.INSTANCE;
  }
}
