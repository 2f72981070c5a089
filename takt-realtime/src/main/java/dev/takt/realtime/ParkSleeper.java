package dev.takt.realtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sleeps by parking: on any system, with any clock. Interrupts end a sleep. */
final class ParkSleeper implements Sleeper {
  private final NanoClock clock;
  private volatile @Nullable Thread owner;

  /** Kept here too: an unpark may come before the owner is known. */
  private final AtomicBoolean permit = new AtomicBoolean();

  ParkSleeper(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public void sleepUntil(long timeNs) {
    own();
    if (!permit.get()) {
      clock.parkNanos(timeNs - clock.nanoTime());
    }
    take();
  }

  @Override
  public void sleep() {
    own();
    if (!permit.get()) {
      LockSupport.park(this);
    }
    take();
  }

  /** By a swap, so that what the permit's giver did before is seen after this. */
  private void take() {
    permit.getAndSet(false);
  }

  @Override
  public void wake() {
    permit.set(true);
    Thread thread = owner;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void own() {
    if (owner != Thread.currentThread()) {
      owner = Thread.currentThread();
    }
  }
}
