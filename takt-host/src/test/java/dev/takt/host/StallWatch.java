package dev.takt.host;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees for how long a thread does not get a processor on this machine, whatever is tested: what was
 * measured meanwhile may have waited as long, and that is nobody's fault.
 */
final class StallWatch implements AutoCloseable {
  private static final long LOOK_NS = 1_000_000;

  private final AtomicLong worstNs = new AtomicLong();
  private volatile boolean isClosed;
  private final Thread thread = Thread.ofPlatform().daemon().name("stalls").start(this::watch);

  private void watch() {
    while (!isClosed) {
      long begin = System.nanoTime();
      LockSupport.parkNanos(LOOK_NS);
      long stalledNs = System.nanoTime() - begin - LOOK_NS;
      worstNs.accumulateAndGet(stalledNs, Math::max);
    }
  }

  /** Returns the longest since the last call, in nanoseconds. */
  long takeWorstNs() {
    return worstNs.getAndSet(0);
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
