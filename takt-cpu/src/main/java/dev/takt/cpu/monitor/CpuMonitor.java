package dev.takt.cpu.monitor;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes E of what the system says, window by window.
 *
 * <p><b>Thread rule:</b> one thread at a time. It has no thread and reads no clock.
 */
public final class CpuMonitor {
  private final SystemFiles files;
  private final int processors;
  private final Extensum extensum;
  private @Nullable SystemCounters before;
  private long beforeNs;
  private CpuWorkload workload = new CpuWorkload(0, 0, 0, 0);

  /**
   * Makes one.
   *
   * @param processors of the machine, at least 1, if it does not say so itself
   * @param least the least E, at which it begins, 1 or more
   * @param most the largest E, at most 1,000
   */
  public CpuMonitor(SystemFiles files, int processors, double least, double most) {
    this.files = Objects.requireNonNull(files, "files");
    this.processors = Math.max(1, processors);
    this.extensum = new Extensum(least, most);
  }

  /**
   * Reads what has passed since the last call, and returns E; the first call only begins.
   *
   * @param nowNs the time
   * @param late by how much looks and releases were later than usual, as a share of their period
   * @param queued whether tasks have to queue with other threads, because they have no real-time
   *     policy
   */
  public double sample(long nowNs, double late, boolean queued) {
    SystemCounters now = SystemCounters.read(files);
    SystemCounters before = this.before;
    if (before != null && nowNs - beforeNs > 0) {
      int present = now.processors() > 0 ? (int) now.processors() : processors;
      workload = CpuWorkload.between(before, now, nowNs - beforeNs, present, late);
      extensum.next(workload.extensum(queued));
    }
    this.before = now;
    beforeNs = nowNs;
    return extensum.value();
  }

  /** Returns the figures of the last window. */
  public CpuWorkload workload() {
    return workload;
  }
}
