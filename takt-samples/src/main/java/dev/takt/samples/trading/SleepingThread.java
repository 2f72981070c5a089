package dev.takt.samples.trading;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What one would use without Takt, beside the seller and with its period: a thread of a scheduled
 * executor. It has an easy life: it only looks at the clock and takes no part in the market.
 *
 * <p><b>Thread rule:</b> the measured figures from any thread after {@link #close}; {@link
 * #restart} from any.
 */
final class SleepingThread implements AutoCloseable {
  private static final long CLOSE_TIMEOUT_S = 5;

  /** How many periods after the start the first one is due: by then its due time is known. */
  private static final int FIRST_PERIODS = 100;

  final Histogram lateness = new Histogram(TaskMeter.MAX_NS, 3);
  private final long periodNs;
  private final ScheduledExecutorService executor;
  private volatile long dueNs;
  private long lateStarts;
  private volatile int epoch;
  private int recorded;

  SleepingThread(long periodNs) {
    this.periodNs = periodNs;
    executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("plain-executor").daemon().unstarted(task));
  }

  void start() {
    ScheduledFuture<?> next =
        executor.scheduleAtFixedRate(
            this::look, FIRST_PERIODS * periodNs, periodNs, TimeUnit.NANOSECONDS);
    // Asked, not reckoned: to schedule for the first time takes longer than a period.
    dueNs = System.nanoTime() + next.getDelay(TimeUnit.NANOSECONDS);
  }

  /** Forgets what was measured until now. */
  void restart() {
    epoch++;
  }

  /** Returns how many periods it began a period or more late in. */
  long lateStarts() {
    return lateStarts;
  }

  private void look() {
    long due = dueNs;
    long lateNs = System.nanoTime() - due;
    dueNs = due + periodNs;
    if (recorded != epoch) {
      recorded = epoch;
      lateness.reset();
      lateStarts = 0;
    }
    lateness.recordValue(Math.clamp(lateNs, 0, TaskMeter.MAX_NS));
    lateStarts += lateNs >= periodNs ? 1 : 0;
  }

  @Override
  public void close() {
    executor.shutdownNow();
    try {
      executor.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
