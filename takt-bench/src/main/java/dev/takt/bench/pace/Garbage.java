package dev.takt.bench.pace;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that allocates at a steady rate, as the rest of an application does: objects of 64 to
 * 1,024 bytes, of which the last 16,384 are in use.
 *
 * <p><b>Thread rule:</b> {@link #stop} and {@link #bytesPerSecond} for any thread.
 */
final class Garbage implements Runnable {
  private static final long STEP_NS = 1_000_000;
  private static final int IN_USE = 1 << 14;

  /** What was missed while the thread could not run is caught up with, but not more than this. */
  private static final long MAX_BEHIND_NS = 100 * STEP_NS;

  private final double bytesPerNs;
  private final Object[] inUse = new Object[IN_USE];
  private volatile boolean stopped;
  private volatile long bytes;
  private volatile long ranNs = 1;

  Garbage(long bytesPerSecond) {
    this.bytesPerNs = bytesPerSecond / 1e9;
  }

  @Override
  public void run() {
    long startNs = System.nanoTime();
    long fromNs = startNs;
    int next = 0;
    while (!stopped) {
      LockSupport.parkNanos(STEP_NS);
      long nowNs = System.nanoTime();
      long due = (long) (bytesPerNs * Math.min(nowNs - fromNs, MAX_BEHIND_NS));
      fromNs = nowNs;
      long done = 0;
      while (done < due) {
        int length = 48 + next * 61 % 961;
        inUse[next] = new byte[length];
        next = (next + 1) % IN_USE;
        done += length + 16;
      }
      bytes += done;
      ranNs = nowNs - startNs;
    }
  }

  void stop() {
    stopped = true;
  }

  /** Returns what it has managed so far. */
  double bytesPerSecond() {
    return bytes / (ranNs / 1e9);
  }
}
