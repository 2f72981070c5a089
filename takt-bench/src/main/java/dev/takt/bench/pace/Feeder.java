package dev.takt.bench.pace;

import dev.takt.bench.measure.Feedable;
import dev.takt.reflex.limit.AtomicCallRejected;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that feeds a task by atomic calls.
 *
 * <p><b>Thread rule:</b> {@link #stop} for any thread, {@link #violations} after the thread has
 * ended.
 */
final class Feeder implements Runnable {
  /** How many numbers a call puts. */
  static final int BATCH = 8;

  private final Feedable task;
  private final long pauseNs;
  private volatile boolean stopped;
  private long violations;

  /**
   * Makes a feeder.
   *
   * @param pauseNs the time between two calls, 0 for none
   */
  Feeder(Feedable task, long pauseNs) {
    this.task = task;
    this.pauseNs = pauseNs;
  }

  @Override
  public void run() {
    long fed = 0;
    while (!stopped) {
      if (pauseNs > 0) {
        LockSupport.parkNanos(pauseNs);
      }
      long now;
      try {
        now = task.feed(BATCH);
      } catch (AtomicCallRejected e) {
        // It had no effect, and is counted by the task: the next call shows whether that is so.
        continue;
      }
      if (now != fed && now != fed + BATCH) {
        violations++;
      }
      fed = now;
    }
  }

  void stop() {
    stopped = true;
  }

  /** Returns how often a call was lost, or not whole. */
  long violations() {
    return violations;
  }
}
