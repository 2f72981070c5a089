package dev.takt.bench.cpu;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.realtime.RunningRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Periodic tasks that keep to their budgets, work for a twentieth of their periods, and note which
 * deadlines they miss while they are watched.
 *
 * <p><b>Thread rule:</b> one thread; the tasks have threads of their own.
 */
final class OtherTasks {
  /**
   * A release that ended past its deadline, or was skipped.
   *
   * @param sinceNs when the first of those was due that were late together with it
   * @param dueNs when it was due
   * @param periodNs when after that was its deadline
   * @param endNs when it ended, or the one that came after it
   */
  record Missed(long sinceNs, long dueNs, long periodNs, long endNs) {
    /** Whether it would have been in time if the machine had not stood still meanwhile. */
    boolean isBy(MachineStalls stalls) {
      return endNs - stalls.ns(sinceNs, endNs) <= dueNs + periodNs;
    }
  }

  /** One of them. */
  private final class Other {
    private final long periodNs;
    private final AtomicReference<ManagedTask> self = new AtomicReference<>();
    private volatile long lastDueNs = System.nanoTime();

    Other(long periodNs) {
      this.periodNs = periodNs;
    }

    void start(CpuManager manager) {
      Profile profile =
          Profile.of("other " + periodNs, periodNs)
              .withBudgetNs(periodNs / 8)
              .in(AuthenticationClass.DEFAULT.withOnOverrun(OverrunPolicy.COUNT));
      self.set(requireAdmitted(manager.register(profile, this::release)));
    }

    private void release() {
      long untilNs = System.nanoTime() + periodNs / 20;
      while (System.nanoTime() - untilNs < 0) {
        Thread.onSpinWait();
      }
      ManagedTask task = self.get();
      RunningRelease running = task == null ? null : task.running();
      if (running != null) {
        long endNs = System.nanoTime();
        long firstNs = lastDueNs + periodNs;
        long dueNs = running.dueNs();
        if (watched) {
          releases.addAndGet(Math.max(0, (dueNs - firstNs) / periodNs) + 1);
          addMissed(Math.min(firstNs, dueNs), dueNs + 1, endNs);
        }
        lastDueNs = dueNs;
      }
    }

    /** Adds those that are overdue and have not begun. */
    void addOverdue() {
      long nowNs = System.nanoTime();
      long firstNs = lastDueNs + periodNs;
      releases.addAndGet(Math.max(0, (nowNs - firstNs) / periodNs));
      addMissed(firstNs, nowNs - periodNs, nowNs);
    }

    /** Adds of those that were due from a moment until before another one which were too late. */
    private void addMissed(long fromNs, long toNs, long endNs) {
      for (long dueNs = fromNs; dueNs - toNs < 0; dueNs += periodNs) {
        if (endNs - dueNs > periodNs) {
          synchronized (missed) {
            missed.add(new Missed(fromNs, dueNs, periodNs, endNs));
          }
        }
      }
    }
  }

  private final List<Other> others = new ArrayList<>();
  private final List<Missed> missed = new ArrayList<>();
  private final AtomicLong releases = new AtomicLong();
  private volatile boolean watched;

  /** Starts one. */
  void start(CpuManager manager, long periodNs) {
    Other other = new Other(periodNs);
    others.add(other);
    other.start(manager);
  }

  /** Counts from now on. */
  void watch() {
    watched = true;
  }

  /** Counts no more. */
  void endWatch() {
    watched = false;
    others.forEach(Other::addOverdue);
  }

  /** Returns how many releases there were while they were watched. */
  long releases() {
    return releases.get();
  }

  /** Returns which of them were late, or skipped. */
  List<Missed> missed() {
    synchronized (missed) {
      return List.copyOf(missed);
    }
  }

  /** Returns a task; throws if it was not admitted. */
  static ManagedTask requireAdmitted(ManagedTask task) {
    if (!task.state().isAdmitted()) {
      throw new IllegalStateException(task.name() + ": " + task.decision().reason());
    }
    return task;
  }
}
