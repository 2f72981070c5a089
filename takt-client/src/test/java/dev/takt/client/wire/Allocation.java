package dev.takt.client.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much the calling thread allocates. */
final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** Returns how many bytes the calling thread has allocated so far. */
  static long soFar() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Returns the least that a hundred runs have allocated, after as many that warm it up. */
  static long inSteadyState(Runnable body) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 200; i++) {
      long before = soFar();
      for (int k = 0; k < 100; k++) {
        body.run();
      }
      least = Math.min(least, soFar() - before);
    }
    return least;
  }
}
