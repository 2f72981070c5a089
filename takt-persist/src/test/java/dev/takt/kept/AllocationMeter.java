package dev.takt.kept;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the task's thread allocates in a round of releases: the least of the later rounds, since
 * linking and compiling allocate now and then.
 */
public final class AllocationMeter {
  /** How many releases are a round. */
  public static final int ROUND = 2_000;

  private static final int ROUNDS = 40;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private long ticks;
  private long fromBytes;
  private volatile long leastBytes = Long.MAX_VALUE;
  private volatile int rounds;

  /** Returns what the calling thread has allocated so far. */
  public static long bytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** A release runs. */
  void tick() {
    if (++ticks % ROUND == 0) {
      long bytes = bytes();
      if (rounds >= ROUNDS / 2) {
        leastBytes = Math.min(leastBytes, bytes - fromBytes);
      }
      fromBytes = bytes;
      rounds = rounds + 1;
    }
  }

  /** Returns whether there were enough rounds. */
  public boolean isDone() {
    return rounds >= ROUNDS;
  }

  /** Returns the least of the later rounds. */
  public long leastBytes() {
    return leastBytes;
  }
}
