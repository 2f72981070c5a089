package dev.takt.realtime.os.portable;

import dev.takt.realtime.os.Sleeper;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sleeps by parking: on any system, with any clock. Interrupts end a sleep. */
public final class ParkSleeper implements Sleeper {
  private final LongSupplier nowNs;
  private final LongConsumer parkNs;
  private volatile @Nullable Thread owner;

  /** Needed beside the thread's own permit: a wake may come before the owner is known. */
  private final AtomicBoolean permit = new AtomicBoolean();

  /**
   * Makes one.
   *
   * @param nowNs reads the clock, in nanoseconds
   * @param parkNs parks the calling thread for a number of nanoseconds of that clock at most
   */
  public ParkSleeper(LongSupplier nowNs, LongConsumer parkNs) {
    this.nowNs = nowNs;
    this.parkNs = parkNs;
  }

  @Override
  public void sleepUntil(long timeNs) {
    own();
    if (!permit.get()) {
      parkNs.accept(timeNs - nowNs.getAsLong());
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

  /** A swap, so that the writes of the waking thread are visible to the sleeper. */
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
