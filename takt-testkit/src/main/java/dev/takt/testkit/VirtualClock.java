package dev.takt.testkit;

import dev.takt.realtime.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it: the same code, without waiting and with the same
 * result every time.
 *
 * <p>Who sleeps by it wakes when the test has advanced it far enough, and, as with any clock, when
 * unparked or interrupted.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class VirtualClock implements NanoClock {
  private record Sleeper(Thread thread, long wakeNs) {}

  private final List<Sleeper> sleepers = new ArrayList<>();
  private volatile long nowNs;

  /** Makes a clock that shows 0. */
  public VirtualClock() {}

  /**
   * Makes a clock.
   *
   * @param startNs what it shows first
   */
  public VirtualClock(long startNs) {
    nowNs = startNs;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public void parkNanos(long durationNs) {
    if (durationNs <= 0) {
      return;
    }
    Sleeper sleeper;
    synchronized (sleepers) {
      sleeper = new Sleeper(Thread.currentThread(), nowNs + durationNs);
      sleepers.add(sleeper);
      sleepers.notifyAll();
    }
    // An advance between the two leaves a permit, so that this park returns at once.
    LockSupport.park(this);
    synchronized (sleepers) {
      sleepers.removeIf(other -> other == sleeper);
    }
  }

  /**
   * Moves the clock and wakes those whose time has come.
   *
   * @param durationNs by how much, zero or more
   */
  public void advance(long durationNs) {
    if (durationNs < 0) {
      throw new IllegalArgumentException(
          "durationNs=" + durationNs + " (expected: 0 or more; time does not go back)");
    }
    synchronized (sleepers) {
      nowNs += durationNs;
      for (Sleeper sleeper : sleepers) {
        if (sleeper.wakeNs - nowNs <= 0) {
          LockSupport.unpark(sleeper.thread);
        }
      }
    }
  }

  /**
   * Waits until at least so many threads sleep by this clock; then an advance does not come too
   * early for them.
   */
  public void awaitSleepers(int count) throws InterruptedException {
    synchronized (sleepers) {
      while (sleepers.size() < count) {
        sleepers.wait();
      }
    }
  }
}
