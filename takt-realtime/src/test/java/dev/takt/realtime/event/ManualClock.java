package dev.takt.realtime.event;

import dev.takt.realtime.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A clock that a test moves. Who sleeps by it looks again whenever it moves. */
final class ManualClock implements NanoClock {
  private final List<Thread> sleeping = new ArrayList<>();
  private volatile long nowNs;

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public void parkNanos(long durationNs) {
    synchronized (sleeping) {
      if (durationNs <= 0) {
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

  /** Waits until so many threads sleep until a time. */
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
    }
  }
}
