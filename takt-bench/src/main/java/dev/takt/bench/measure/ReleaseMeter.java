package dev.takt.bench.measure;

import com.sun.management.ThreadMXBean;
import dev.takt.reflex.woven.TaskThread;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the iterations of one task: the task itself notes times alone, in {@link #ticks}. What
 * the threads of all tasks allocate meanwhile is looked up from outside.
 *
 * <p><b>Thread rule:</b> one thread, that which waits for the measurement.
 */
public final class ReleaseMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Ticks ticks;
  private final List<Thread> taskThreads = new ArrayList<>();
  private int firstMarks;
  private long firstBytes;
  private int lastMarks;
  private long lastBytes;

  /** Makes a meter; the parameters are those of {@link Ticks}. */
  public ReleaseMeter(int batch, int warmup, int iterations) {
    ticks = new Ticks(batch, warmup, iterations);
  }

  /** Returns what the task notes its iterations in. */
  public Ticks ticks() {
    return ticks;
  }

  /**
   * Looks how far the task is, and notes what was allocated when the warm-up is over. To be called
   * again and again while the task runs.
   *
   * @return whether everything is measured
   */
  public boolean look() {
    int marks = ticks.marks();
    if (firstMarks == 0 && ticks.isWarm()) {
      firstMarks = marks;
      firstBytes = allocatedBytes();
    }
    return marks == ticks.batches();
  }

  /** Notes what was allocated until now; the task must still run. */
  public void finish() {
    lastMarks = ticks.marks();
    lastBytes = allocatedBytes();
  }

  private long allocatedBytes() {
    if (taskThreads.isEmpty()) {
      Thread[] all = new Thread[Thread.activeCount() * 2];
      for (Thread each : Arrays.copyOf(all, Thread.enumerate(all))) {
        if (each instanceof TaskThread) {
          taskThreads.add(each);
        }
      }
    }
    long bytes = 0;
    for (Thread each : taskThreads) {
      bytes += Math.max(0, threads.getThreadAllocatedBytes(each.threadId()));
    }
    return bytes;
  }

  /** Returns the figure, see {@link Meter#figure}. */
  public Measurement figure(int divisor) {
    return ticks.figure(
        divisor, (lastBytes - firstBytes) / (double) Math.max(1, lastMarks - firstMarks));
  }
}
