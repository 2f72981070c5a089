package dev.takt.session;

import dev.takt.realtime.internal.Ranges;
import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * The threads that carry the sessions of this JVM: how many there may be, and what they do.
 *
 * <p>The JDK has one set of carriers for all virtual threads of a process, so the limit is one for
 * all. It is the budget of sessions in processors: with a limit of 1, all sessions together take no
 * more than one, but for the moments in which the JDK has added a carrier in the place of one that
 * is blocked in a file operation. Where carriers run is decided as for every other thread without a
 * real-time policy: the process's {@code CpuConfinement} (takt-realtime) keeps them off the
 * processors of real-time threads, and a FIFO thread has precedence over them in any case.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
public final class Carriers {
  /**
   * What the carriers do at a moment.
   *
   * @param limit how many sessions can run at the same time
   * @param threads how many threads there are for that
   * @param running how many virtual threads run now
   * @param waiting how many are ready and wait for a carrier
   */
  public record Use(int limit, int threads, int running, long waiting) {}

  /** The largest limit of carriers that the JDK knows. */
  static final int MAX_LIMIT = 32_767;

  private Carriers() {}

  private static VirtualThreadSchedulerMXBean scheduler() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  }

  /**
   * Limits how many sessions, and other virtual threads, run at the same time in this JVM. The JDK
   * begins with one for each processor, and may for a while add carriers for those that are blocked
   * in file operations. What runs beyond a lower limit goes on until it waits.
   *
   * @param limit 1 to 32,767
   */
  public static void limit(int limit) {
    Ranges.check("limit", limit, 1, MAX_LIMIT);
    scheduler().setParallelism(limit);
  }

  /** Returns what they do now; not atomic. A figure that the JDK does not know is -1. */
  public static Use use() {
    VirtualThreadSchedulerMXBean scheduler = scheduler();
    return new Use(
        scheduler.getParallelism(),
        scheduler.getPoolSize(),
        scheduler.getMountedVirtualThreadCount(),
        scheduler.getQueuedVirtualThreadCount());
  }
}
