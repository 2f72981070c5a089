package dev.takt.testsupport;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what the current thread allocates on the heap. */
public final class AllocatedBytes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 40;

  private AllocatedBytes() {}

  /**
   * Returns the bytes allocated by a round of runs in steady state: the least of several rounds,
   * after as many have warmed up. A body that allocates in each run cannot get below 16 bytes a
   * run.
   */
  public static long inSteadyState(int runs, Runnable body) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < runs; i++) {
        body.run();
      }
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (round >= ROUNDS / 2) {
        least = Math.min(least, bytes);
      }
    }
    return least;
  }
}
