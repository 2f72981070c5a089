package dev.takt.rtsj.event;

import dev.takt.realtime.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that a test moves. Who sleeps by it looks again whenever it moves, also if it moves
 * between the look at the time and the sleep.
 */
final class ManualClock implements NanoClock {
  /** Who has gone to sleep since the clock was moved. */
  private final List<Thread> sleeping = new ArrayList<>();

  /** What each thread saw last; an array, so that looking allocates nothing. */
  private final ThreadLocal<long[]> seenNs = ThreadLocal.withInitial(() -> new long[1]);

  private volatile long nowNs;

  @Override
  public long nanoTime() {
    long now = nowNs;
    seenNs.get()[0] = now;
    return now;
  }

  @Override
  public void parkNanos(long durationNs) {
    synchronized (sleeping) {
      if (durationNs <= 0 || seenNs.get()[0] != nowNs) {
        return;
      }
      sleeping.add(Thread.currentThread());
      sleeping.notifyAll();
    }
    LockSupport.park(this);
    synchronized (sleeping) {
      sleeping.remove(Thread.currentThread());
    }
  }

  /** Waits until so many threads sleep that no move of the clock has woken since. */
  void awaitSleepers(int count) throws InterruptedException {
    synchronized (sleeping) {
      while (sleeping.size() != count) {
        sleeping.wait();
      }
    }
  }

  void advance(long durationNs) {
    synchronized (sleeping) {
      nowNs += durationNs;
      sleeping.forEach(LockSupport::unpark);
      sleeping.clear();
    }
  }
}
