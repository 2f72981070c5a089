package dev.takt.realtime;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM measures of its threads. */
enum SystemThreadMeter implements ThreadMeter {
  INSTANCE;

  /** Loaded when something is measured: few tasks have a budget, and this takes milliseconds. */
  private static final class Beans {
    static final java.lang.management.ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final boolean MEASURES_TIME =
        THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
    static final boolean MEASURES_BYTES =
        THREADS instanceof ThreadMXBean more
            && more.isThreadAllocatedMemorySupported()
            && more.isThreadAllocatedMemoryEnabled();
  }

  @Override
  public long usedNs() {
    return Beans.MEASURES_TIME ? Beans.THREADS.getCurrentThreadCpuTime() : UNKNOWN;
  }

  long usedNs(long threadId) {
    return Beans.MEASURES_TIME && threadId > 0 ? Beans.THREADS.getThreadCpuTime(threadId) : UNKNOWN;
  }

  @Override
  public long allocatedBytes() {
    return Beans.MEASURES_BYTES
        ? ((ThreadMXBean) Beans.THREADS).getCurrentThreadAllocatedBytes()
        : UNKNOWN;
  }
}
