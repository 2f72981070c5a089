package dev.takt.bench.cpu;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Notes the releases of one task, the first ones apart, which do not count.
 *
 * <p><b>Thread rule:</b> {@link #released} for the thread that runs them, and it allocates nothing;
 * everything else for one other thread.
 */
final class ReleaseLog {
  private static final int PATIENCE = 3;
  private static final long SPARE_MS = 1_500;

  private final long periodNs;
  private final int warmup;
  private final int periods;
  private final long[] dueNs;
  private final long[] beginNs;
  private final long[] endNs;
  private final Runnable look;
  private final long madeNs = System.nanoTime();
  private final CountDownLatch done = new CountDownLatch(1);
  private int seen;
  private volatile int size;

  /**
   * Makes one.
   *
   * @param warmup how many releases do not count
   * @param periods how many periods count then
   * @param look is called by the measured thread after its first release, and when all have been
   *     noted
   */
  ReleaseLog(long periodNs, int warmup, int periods, Runnable look) {
    this.periodNs = periodNs;
    this.warmup = warmup;
    this.periods = periods;
    this.look = look;
    // One more release ends the last period.
    dueNs = new long[periods + 1];
    beginNs = new long[periods + 1];
    endNs = new long[periods + 1];
  }

  /** A release has ended. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // written by one thread
  void released(long dueNs, long beginNs, long endNs) {
    if (seen == 0) {
      look.run();
    }
    if (seen++ < warmup || done.getCount() == 0) {
      return;
    }
    int i = size;
    this.dueNs[i] = dueNs;
    this.beginNs[i] = beginNs;
    this.endNs[i] = endNs;
    size = i + 1;
    if (dueNs - this.dueNs[0] >= periods * periodNs || i == periods) {
      look.run();
      done.countDown();
    }
  }

  /** Waits until all have been noted; false if that takes much longer than it should. */
  boolean await() throws InterruptedException {
    long expectedMs = (warmup + periods) * periodNs / 1_000_000;
    return done.await(PATIENCE * expectedMs + SPARE_MS, TimeUnit.MILLISECONDS);
  }

  /** Returns what has been noted until now. */
  ReleaseTimes times(long nowNs) {
    int noted = size;
    long originNs = noted == 0 ? madeNs : dueNs[0];
    long untilNs = done.getCount() == 0 ? endNs[noted - 1] : nowNs;
    return new ReleaseTimes(
        periodNs,
        periods,
        since(originNs, dueNs, noted),
        since(originNs, beginNs, noted),
        since(originNs, endNs, noted),
        untilNs - originNs);
  }

  private static long[] since(long originNs, long[] values, int count) {
    return Arrays.stream(values, 0, count).map(each -> each - originNs).toArray();
  }
}
