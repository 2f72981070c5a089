package dev.takt.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures the iterations of one thread from inside: the clock is read once in a batch, because
 * reading it in each iteration would cost a good part of what an iteration costs.
 *
 * <p><b>Thread rule:</b> {@link #tick} for the measured thread; {@link #await} for any thread, and
 * {@link #figure} too, after the measured thread has stopped.
 */
public final class Meter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int batch;
  private final int warmupMarks;
  private final long[] marksNs;
  private final long[] allocatedBytes;
  private final CountDownLatch done = new CountDownLatch(1);
  private int marks;
  private long skippedNs;

  /**
   * Makes a meter.
   *
   * @param batch the iterations between two looks at the clock
   * @param warmup how many iterations come before those that count; rounded up to whole batches,
   *     one at least
   * @param iterations how many iterations count; rounded up to whole batches, one at least
   */
  public Meter(int batch, int warmup, int iterations) {
    this.batch = batch;
    this.warmupMarks = batches(warmup);
    this.marksNs = new long[warmupMarks + batches(iterations)];
    this.allocatedBytes = new long[marksNs.length];
  }

  private int batches(int iterations) {
    return Math.max(1, (iterations + batch - 1) / batch);
  }

  /** Returns how many iterations it takes until everything is measured. */
  public long total() {
    return marksNs.length * (long) batch;
  }

  /**
   * An iteration has come this far.
   *
   * @param iteration its number, 1 and up; the number of one that was undone comes again with the
   *     next one, and then the later moment counts
   * @return false from the last one on
   */
  public boolean tick(long iteration) {
    if (iteration % batch == 0 && iteration <= total()) {
      mark((int) (iteration / batch));
    }
    return iteration < total();
  }

  /** Leaves out the time that the measured thread spent on something else than iterations. */
  public void skip(long durationNs) {
    skippedNs += durationNs;
  }

  private void mark(int count) {
    allocatedBytes[count - 1] = THREADS.getCurrentThreadAllocatedBytes();
    marksNs[count - 1] = System.nanoTime() - skippedNs;
    marks = count;
    if (count == marksNs.length) {
      done.countDown();
    }
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
  public Figure figure(int divisor) {
    int first = marks > warmupMarks ? warmupMarks - 1 : marks / 2;
    if (marks - first < 2) {
      throw new IllegalStateException(
          "only "
              + marks
              + " batches of "
              + marksNs.length
              + " were measured; is the machine overloaded?");
    }
    int last = marks - 1;
    double bytes =
        (allocatedBytes[last] - allocatedBytes[first])
            / (double) ((last - first) * (long) batch * divisor);
    return Figure.of(Arrays.copyOfRange(marksNs, first, marks), (long) batch * divisor, bytes);
  }
}
