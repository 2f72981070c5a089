package dev.takt.session;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much processor time the carriers of this JVM have used. What a carrier that ends has used
 * since the last look is lost.
 *
 * <p><b>Thread rule.</b> One thread.
 */
final class CarrierTimes {
  /** What the JDK calls the group of the threads that carry virtual ones. */
  private static final String GROUP = "CarrierThreads";

  /** The JDK has 256 carriers at most, unless it is told otherwise. */
  private static final int SPARE = 64;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private Map<Long, Long> lastNs = new HashMap<>();
  private long totalNs;

  /** Looks, and returns the time of all carriers since each of them began, in nanoseconds. */
  long look() {
    Map<Long, Long> nowNs = new HashMap<>();
    for (Thread each : carriers()) {
      if (each != null) {
        long usedNs = threads.getThreadCpuTime(each.threadId());
        if (usedNs >= 0) { // else it has ended, or the JVM does not measure
          totalNs += usedNs - lastNs.getOrDefault(each.threadId(), 0L);
          nowNs.put(each.threadId(), usedNs);
        }
      }
    }
    lastNs = nowNs;
    return totalNs;
  }

  /** Returns the carriers, and nothing at some places. */
  private static @Nullable Thread[] carriers() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    for (ThreadGroup up = root.getParent(); up != null; up = up.getParent()) {
      root = up;
    }
    ThreadGroup[] groups = new ThreadGroup[root.activeGroupCount() + SPARE];
    int count = root.enumerate(groups, false);
    for (int i = 0; i < count; i++) {
      if (groups[i].getName().equals(GROUP)) {
        Thread[] carriers = new Thread[groups[i].activeCount() + SPARE];
        groups[i].enumerate(carriers, false);
        return carriers;
      }
    }
    return new Thread[0];
  }
}
