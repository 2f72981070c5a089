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

  /** When the present wait has begun. */
  private volatile long beginNs = System.nanoTime();

  private final Thread thread = Thread.ofPlatform().daemon().name("stalls").start(this::watch);

  private void watch() {
    while (!isClosed) {
      beginNs = System.nanoTime();
      LockSupport.parkNanos(LOOK_NS);
      worstNs.accumulateAndGet(stalledNs(), Math::max);
    }
  }

  private long stalledNs() {
    return System.nanoTime() - beginNs - LOOK_NS;
  }

  /**
   * Returns the longest since the last call, in nanoseconds, also if it is not over: the thread may
   * have waited all the time.
   */
  long takeWorstNs() {
    return Math.max(worstNs.getAndSet(0), stalledNs());
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
