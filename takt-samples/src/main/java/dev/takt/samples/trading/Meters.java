package dev.takt.samples.trading;

import com.sun.management.ThreadMXBean;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.ReleaseListener;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TaskStats;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The meters of all tasks, and how much the threads that run them allocate.
 *
 * <p><b>Thread rule:</b> {@link #onEnd} on any thread; the rest on one thread.
 */
final class Meters implements ReleaseListener {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<TaskControl> controls = new ArrayList<>();
  private final List<TaskMeter> meters = new ArrayList<>();
  private final CopyOnWriteArrayList<Thread> workers = new CopyOnWriteArrayList<>();
  private volatile TaskControl[] watched = {};
  private volatile int epoch;
  private long allocatedBefore;
  private long releasesBefore;
  private Punctuality before = new Punctuality(0, 0, 0);
  private long startNs = System.nanoTime();

  /** Watches a task from now on. */
  void watch(TaskControl control, TaskMeter meter) {
    controls.add(control);
    meters.add(meter);
    watched = controls.toArray(TaskControl[]::new);
  }

  List<TaskControl> controls() {
    return controls;
  }

  List<TaskMeter> meters() {
    return meters;
  }

  /** Forgets what was measured until now. */
  void restart() {
    epoch++;
    allocatedBefore = allocatedBytes();
    releasesBefore = releases();
    before = punctualityInAll();
    startNs = System.nanoTime();
  }

  /** Returns how many releases were in time since then, of an active task with this period. */
  Punctuality punctuality(long periodNs) {
    Punctuality all = punctualityInAll();
    return new Punctuality(
        all.misses() - before.misses(), all.skipped() - before.skipped(), elapsedNs() / periodNs);
  }

  private long elapsedNs() {
    return System.nanoTime() - startNs;
  }

  private Punctuality punctualityInAll() {
    List<TaskStats> stats = controls.stream().map(TaskControl::stats).toList();
    return new Punctuality(
        stats.stream().mapToLong(TaskStats::misses).sum(),
        stats.stream().mapToLong(TaskStats::skipped).sum(),
        0);
  }

  /**
   * Returns how many bytes of heap the tasks' threads have allocated for each release since {@link
   * #restart}.
   */
  double allocatedBytesPerRelease() {
    long releases = releases() - releasesBefore;
    return releases == 0 ? 0 : (double) (allocatedBytes() - allocatedBefore) / releases;
  }

  /** Returns what the calling thread has allocated in its life. */
  static long allocatedByThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  private long allocatedBytes() {
    long sum = 0;
    for (Thread worker : workers) {
      sum += Math.max(0, THREADS.getThreadAllocatedBytes(worker.threadId()));
    }
    return sum;
  }

  private long releases() {
    return controls.stream().mapToLong(control -> control.stats().releases()).sum();
  }

  @Override
  public void onEnd(EndedRelease release) {
    TaskControl[] watched = this.watched;
    for (int i = 0; i < watched.length; i++) {
      if (watched[i] == release.subject()) {
        meters.get(i).onRelease(release, epoch);
      }
    }
    remember(Thread.currentThread());
  }

  private void remember(Thread worker) {
    for (int i = 0; i < workers.size(); i++) {
      if (workers.get(i) == worker) {
        return;
      }
    }
    workers.addIfAbsent(worker);
  }
}
