package dev.takt.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the iterations of one thread from inside, with what it allocates: both are looked at
 * once in a batch, because looking in each iteration would cost a good part of what that costs.
 *
 * <p><b>Thread rule:</b> {@link #tick} for the measured thread; {@link #await} for any thread, and
 * {@link #figure} too, after the measured thread has stopped.
 */
public final class Meter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Ticks ticks;
  private final long[] allocatedBytes;
  private final CountDownLatch done = new CountDownLatch(1);

  /** Makes a meter; the parameters are those of {@link Ticks}. */
  public Meter(int batch, int warmup, int iterations) {
    ticks = new Ticks(batch, warmup, iterations);
    allocatedBytes = new long[ticks.batches()];
  }

  /** Returns how many iterations it takes until everything is measured. */
  public long total() {
    return ticks.total();
  }

  /** An iteration has come this far, see {@link Ticks#tick}. */
  public boolean tick(long iteration) {
    long bytes = ticks.endsBatch(iteration) ? THREADS.getCurrentThreadAllocatedBytes() : -1;
    boolean more = ticks.tick(iteration);
    if (bytes >= 0) {
      allocatedBytes[ticks.marks() - 1] = bytes;
      if (!more) {
        done.countDown();
      }
    }
    return more;
  }

  /** Waits until everything is measured; false if the time is over first. */
  public boolean await(long limitMs) throws InterruptedException {
    return done.await(limitMs, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns the figure: of the batches that count, or, where the time was over before there were
   * any, of the second half of those there are.
   *
   * @param divisor how many iterations of the figure one iteration of the thread stands for
   */
  public Measurement figure(int divisor) {
    int first = ticks.firstMark();
    int last = ticks.marks() - 1;
    return ticks.figure(
        divisor, (allocatedBytes[last] - allocatedBytes[first]) / (double) (last - first));
  }
}
