package dev.takt.reflex;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Waiting for the end of something, for a limited time, without losing an interrupt. */
final class Waits {
  private Waits() {}

  /** Returns when a timeout is over, by {@link System#nanoTime}; centuries at most. */
  static long deadlineNs(Duration timeout) {
    long timeoutNs;
    try {
      timeoutNs = timeout.toNanos();
    } catch (ArithmeticException e) {
      timeoutNs = Long.MAX_VALUE;
    }
    return System.nanoTime() + Math.clamp(timeoutNs, 0, TimeUnit.DAYS.toNanos(10_000));
  }

  /** Returns when a time is over that begins now, but no later than a limit. */
  static long deadlineNs(long durationNs, long limitNs) {
    long nowNs = System.nanoTime();
    return nowNs + Math.min(durationNs, limitNs - nowNs);
  }

  /** Returns when a time is over that begins now. */
  static long deadlineNs(long durationNs) {
    return System.nanoTime() + durationNs;
  }

  static boolean isOver(long deadlineNs) {
    return deadlineNs - System.nanoTime() <= 0;
  }

  /** Lets some time pass, or less. */
  static void pause(long durationNs) {
    LockSupport.parkNanos(durationNs);
  }

  /**
   * Waits for a thread to end; returns whether the wait was interrupted, and then it was not the
   * whole.
   */
  static boolean join(Thread thread, long timeoutNs) {
    try {
      thread.join(Duration.ofNanos(timeoutNs));
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Waits for threads to end; false if the time is over first. */
  static boolean joinAll(List<? extends Thread> threads, long deadlineNs) {
    boolean interrupted = false;
    boolean ended = true;
    for (Thread thread : threads) {
      while (ended && thread.isAlive()) {
        long leftNs = deadlineNs - System.nanoTime();
        ended = leftNs > 0;
        interrupted |= ended && join(thread, leftNs);
      }
    }
    restoreInterrupt(interrupted);
    return ended;
  }

  /** Waits until no other thread holds a lock; false if the time is over first. */
  static boolean awaitFree(ReentrantLock lock, long deadlineNs) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          boolean free = lock.tryLock(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
          if (free) {
            lock.unlock();
          }
          return free;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      restoreInterrupt(interrupted);
    }
  }

  /** Passes on an interrupt that came during a wait that had to go on. */
  static void restoreInterrupt(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
