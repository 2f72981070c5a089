package dev.takt.cpu;

import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tasks with fixed real-time priorities on processors that no other thread of the process
 * uses: a real-time Java thread may wait in the JVM, without end, for a thread that it keeps from
 * running ({@link CpuConfinement}). A task that loses its priority goes over to the others.
 *
 * <p>Nothing is kept apart where there is one processor only, where no real-time priority is
 * granted, and for reservations of the kernel, which takes no processors for them and lets others
 * run as soon as one is used up.
 *
 * <p>Where some priorities are granted and not {@linkplain CpuScheduler#NEEDED_PRIORITY all that
 * are needed}, no thread of the manager and its tasks has one: a task could not be preempted by
 * what supervises it.
 *
 * <p>The threads that work in the JVM's pauses come before all tasks with fixed priorities and
 * before the manager's own threads, which may wait for them ({@link PausePriority}).
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ProcessorsApart implements AutoCloseable {
  private final OperatingSystem system;
  private final @Nullable CpuPartition partition;
  private final @Nullable CpuConfinement held;
  private final @Nullable PausePriority pauses;

  /** What of all this was not to be had, for people. */
  private final List<String> shortfalls = new ArrayList<>();

  /**
   * Why the scheduler that was asked for has no real-time priorities; null: it has, or needs none.
   */
  private final @Nullable String refusal;

  /** Whether some real-time priorities are granted, and too few. */
  private final boolean isTooLow;

  /** Whether one thread that does not end leaves processors for others. */
  private final boolean isSpare;

  /** Confines the other threads, if that makes sense and is asked for. */
  ProcessorsApart(ManagerSettings settings) {
    system = settings.system();
    ThreadScheduling asked = settings.scheduler().scheduling(TaskModel.of("probe", 1, 2), 0);
    Grant trial = asked.policy().isRealtime() ? SchedulerChoice.trial(system) : null;
    boolean realtime = trial != null && SchedulerChoice.shortfall(trial) == null;
    isTooLow = trial != null && !realtime && trial.scheduling().policy().isRealtime();
    CpuPartition possible = realtime ? partition(settings, system) : null;
    pauses = realtime ? system.raisePauses(CpuScheduler.NEEDED_PRIORITY) : null;
    isSpare = possible != null;
    partition = settings.isApart() && asked.runtimeNs() == 0 ? possible : null;
    held = partition == null ? null : system.confine(partition.housekeeping());
    refusal = trial == null ? null : SchedulerChoice.shortfall(trial);
    if (refusal != null) {
      shortfalls.add(refusal);
    }
    if (pauses != null) {
      addAll(pauses.shortfalls());
    }
    if (held != null) {
      addAll(held.shortfalls());
    }
    if (realtime && settings.isApart() && asked.runtimeNs() == 0 && partition == null) {
      addUnparted(settings.cpus());
    }
  }

  private void addAll(List<Shortfall> refused) {
    refused.forEach(each -> shortfalls.add(each.toString()));
  }

  private void addUnparted(@Nullable CpuSet cpus) {
    if (cpus != null) { // else there is one processor only, or nothing is known of them
      shortfalls.add(
          ("cpus=%s leaves the other threads of this process no processor of their own: tasks may"
                  + " stand still for them; name fewer, or take withApart(false)")
              .formatted(cpus));
    }
  }

  /** Returns what is chosen, and if it is not granted that, too. */
  SchedulerChoice judged(SchedulerChoice chosen) {
    return refusal == null
        ? chosen
        : new SchedulerChoice(
            chosen.scheduler(), chosen.reason() + ", and tasks run as any thread: " + refusal);
  }

  /** Returns the processors that tasks do not use; null: none are kept apart. */
  @Nullable CpuSet housekeeping() {
    return partition == null ? null : partition.housekeeping();
  }

  /** Returns what was not to be had; empty: nothing. */
  List<String> shortfalls() {
    return List.copyOf(shortfalls);
  }

  /**
   * Checks that tasks can be where they are to be.
   *
   * @throws IllegalArgumentException if a processor is not there, or not for this process
   */
  static void checkCpus(ManagerSettings settings) {
    CpuSet cpus = settings.cpus();
    OperatingSystem system = settings.system();
    if (cpus == null || !system.isNative()) {
      return;
    }
    CpuSet usable = CpuPartition.usable(system, cpus); // more than those of the process, perhaps
    CpuSet known = usable == null ? system.processCpus() : usable;
    if (known != null && cpus.without(known) != null) {
      throw new IllegalArgumentException(
          "cpus=%s (expected: processors that this process may use, as %s)"
              .formatted(cpus, system.processCpus()));
    }
  }

  private static @Nullable CpuPartition partition(
      ManagerSettings settings, OperatingSystem system) {
    CpuSet cpus = settings.cpus();
    return (cpus == null ? CpuPartition.usual(system) : CpuPartition.ofRealtime(system, cpus))
        .orElse(null);
  }

  /**
   * Returns a scheduling with the processors of real-time threads, if they have some; without
   * priority where too few are granted.
   */
  ThreadScheduling realtime(ThreadScheduling asked) {
    if (isTooLow && asked.policy() == Policy.FIFO) {
      return ThreadScheduling.OTHER
          .withSliceNs(ThreadScheduling.MIN_SLICE_NS)
          .withTimerSlackNs(1)
          .withCpus(asked.cpus());
    }
    return partition == null || asked.runtimeNs() != 0
        ? asked
        : asked.withCpus(partition.realtime());
  }

  /**
   * Gives the calling thread the greatest share of the processors that tasks do not use, and that
   * it keeps whatever {@link #raise} and {@link #slow} do.
   *
   * @return whether it has that; not if there are no such processors, or it is refused
   */
  boolean favour() {
    if (partition == null || isTooLow) {
      return false;
    }
    ThreadScheduling asked =
        ThreadScheduling.OTHER
            .withNice(ThreadScheduling.MIN_NICE)
            .withCpus(partition.housekeeping());
    return system.schedule(asked).scheduling().nice() == asked.nice();
  }

  /** Takes a thread from there to the processors of tasks, with a real-time priority. */
  void raise(int threadId, int priority) {
    if (partition != null) {
      system.bind(threadId, partition.realtime());
      system.setPolicy(threadId, Policy.FIFO, priority);
    }
  }

  /** Moves a thread that has no real-time priority any more to the others. Takes no lock. */
  void expel(int threadId) {
    if (partition != null && threadId != 0 && !system.policy(threadId).isRealtime()) {
      system.bind(threadId, partition.housekeeping());
    }
  }

  /**
   * Gives a thread that was expelled the lowest real-time priority, on the processors of real-time
   * threads, if neither the JVM's own thread nor the rest of the process is kept from running by
   * that. So it is given to one at a time.
   *
   * @return whether it has it, until {@link #slow}
   */
  boolean hurry(int threadId) {
    return isSpare
        && pauses != null
        && pauses.isGranted()
        && (partition == null || system.bind(threadId, partition.realtime()) == Errno.NONE)
        && system.setPolicy(threadId, Policy.FIFO, ThreadScheduling.MIN_PRIORITY) == Errno.NONE;
  }

  /** Takes back what {@link #hurry} or {@link #raise} gave. */
  void slow(int threadId) {
    system.setPolicy(threadId, Policy.OTHER, 0);
    expel(threadId);
  }

  @Override
  public void close() {
    if (held != null) {
      held.close();
    }
    if (pauses != null) {
      pauses.close();
    }
  }
}
