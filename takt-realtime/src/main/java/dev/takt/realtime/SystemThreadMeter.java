package dev.takt.realtime;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM measures of its threads. */
enum SystemThreadMeter implements ThreadMeter {
  INSTANCE;

  private final java.lang.management.ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final boolean measuresTime =
      threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
  private final boolean measuresBytes =
      threads instanceof ThreadMXBean more
          && more.isThreadAllocatedMemorySupported()
          && more.isThreadAllocatedMemoryEnabled();

  @Override
  public long usedNs() {
    return measuresTime ? threads.getCurrentThreadCpuTime() : UNKNOWN;
  }

  long usedNs(long threadId) {
    return measuresTime && threadId > 0 ? threads.getThreadCpuTime(threadId) : UNKNOWN;
  }

  @Override
  public long allocatedBytes() {
    return measuresBytes ? ((ThreadMXBean) threads).getCurrentThreadAllocatedBytes() : UNKNOWN;
  }
}
