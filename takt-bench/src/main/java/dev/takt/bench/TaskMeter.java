package dev.takt.bench;

import com.sun.management.ThreadMXBean;
import dev.takt.reflex.memory.TaskThread;
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
public final class TaskMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final int batch;
  private final int warmupMarks;
  private final Ticks ticks;
  private final List<Thread> taskThreads = new ArrayList<>();
  private int firstMarks;
  private long firstBytes;
  private int lastMarks;
  private long lastBytes;

  /**
   * Makes a meter.
   *
   * @param batch the iterations between two looks at the clock
   * @param warmup how many iterations come before those that count; rounded up to whole batches,
   *     one at least
   * @param iterations how many iterations count; rounded up to whole batches, one at least
   */
  public TaskMeter(int batch, int warmup, int iterations) {
    this.batch = batch;
    warmupMarks = batches(warmup);
    ticks = new Ticks(batch, warmupMarks + batches(iterations));
  }

  private int batches(int iterations) {
    return Math.max(1, (iterations + batch - 1) / batch);
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
    if (firstMarks == 0 && marks >= warmupMarks) {
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

  /**
   * Returns the figure: of the batches that count, or, where the time was over before there were
   * any, of the second half of those there are.
   *
   * @param divisor how many iterations of the figure one iteration of the task stands for
   */
  public Figure figure(int divisor) {
    int marks = ticks.marks();
    int first = marks > warmupMarks ? warmupMarks - 1 : marks / 2;
    if (marks - first < 2) {
      throw new IllegalStateException(
          "only "
              + marks
              + " batches of "
              + ticks.batches()
              + " were measured; is the machine overloaded?");
    }
    long[] marksNs = new long[marks - first];
    for (int i = 0; i < marksNs.length; i++) {
      marksNs[i] = ticks.markNs(first + i);
    }
    long iterations = (long) batch * divisor;
    double bytes =
        (lastBytes - firstBytes) / (double) (Math.max(1, lastMarks - firstMarks) * iterations);
    return Figure.of(marksNs, iterations, bytes);
  }
}
