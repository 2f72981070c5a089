package dev.takt.reflex;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

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

  /** Passes on an interrupt that came during a wait that had to go on. */
  static void restoreInterrupt(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
