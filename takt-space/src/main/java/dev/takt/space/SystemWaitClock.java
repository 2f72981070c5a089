package dev.takt.space;

import java.util.concurrent.locks.LockSupport;

/** The machine's time, and the way to park by it. */
enum SystemWaitClock implements WaitClock {
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void parkNanos(long durationNs) {
    if (durationNs >= FOR_EVER_NS) {
      LockSupport.park();
    } else {
      LockSupport.parkNanos(durationNs);
    }
  }
}
