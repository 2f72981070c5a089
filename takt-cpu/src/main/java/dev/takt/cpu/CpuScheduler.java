package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.cpu.portable.LowFrequencyFilter;
import dev.takt.cpu.portable.RealTimeFilter;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How admitted tasks get the processor. The mechanism is the operating system's, but for the
 * {@linkplain #portable() portable} one; what it refuses is a shortfall of the thread's grant, and
 * the task runs as any thread.
 *
 * <p><b>Thread rule:</b> one thread at a time; without state.
 */
public interface CpuScheduler {
  /** The priority of the task with the shortest deadline. */
  int HIGHEST_PRIORITY = 80;

  /**
   * The highest priority that a manager asks for: first of all come the JVM's threads that work in
   * pauses, then the manager's own two, then the tasks. Where less is granted than this, what
   * supervises tasks would not preempt them, and they would not run in the order that was analysed:
   * no task has a real-time priority then.
   */
  int NEEDED_PRIORITY = HIGHEST_PRIORITY + 6;

  /** Returns by which analysis tasks are admitted that are scheduled this way. */
  AdmissionTest.Kind analysis();

  /**
   * Returns the scheduling of a task's thread.
   *
   * @param task its model, with the cost that it was admitted with
   * @param place how many tasks of its processor have a shorter deadline
   */
  ThreadScheduling scheduling(TaskModel task, int place);

  /**
   * Returns the filters of a new thread that hands the processor over; null: the operating system
   * decides which thread has it.
   */
  default @Nullable List<RealTimeFilter> newFilters() {
    return null;
  }

  /**
   * Fixed priorities, the shortest deadline first (FIFO, {@link #HIGHEST_PRIORITY} and below). From
   * the {@value AdmissionTest#PRIORITIES}th task of a processor on all share the last of these
   * priorities, and are analysed so.
   */
  static CpuScheduler fixedPriority() {
    return new NamedScheduler(
        "fixed priority",
        AdmissionTest.Kind.RESPONSE_TIMES,
        (task, place) ->
            ThreadScheduling.fifo(
                HIGHEST_PRIORITY - Math.min(place, AdmissionTest.PRIORITIES - 1)));
  }

  /**
   * Reservations of the kernel (SCHED_DEADLINE): the earliest deadline first, each task up to its
   * cost in each period. The kernel takes no processors for such threads.
   */
  static CpuScheduler deadline() {
    return new NamedScheduler(
        "deadline",
        AdmissionTest.Kind.DEMAND,
        (task, place) -> {
          // The kernel has a shortest runtime, and no deadlines beyond the period.
          long periodNs = Math.max(ThreadScheduling.MIN_RUNTIME_NS, task.periodNs());
          long deadlineNs =
              Math.clamp(task.deadlineNs(), ThreadScheduling.MIN_RUNTIME_NS, periodNs);
          long runtimeNs = Math.clamp(task.costNs(), ThreadScheduling.MIN_RUNTIME_NS, deadlineNs);
          return ThreadScheduling.deadline(runtimeNs, deadlineNs, periodNs);
        });
  }

  /**
   * The portable one, for a JVM without privileges: for each processor a thread gives it to one
   * task at a time, the shortest deadline first; a release that has begun is not interrupted by
   * others. Tasks of runtimes take turns with the others. Source: CPU control 2.2, 2.3.
   */
  static CpuScheduler portable() {
    return portable(() -> List.of(new LowFrequencyFilter()));
  }

  /**
   * As {@link #portable()}, with other filters than the {@link LowFrequencyFilter}.
   *
   * @param newFilters is called for each processor
   */
  static CpuScheduler portable(Supplier<List<RealTimeFilter>> newFilters) {
    return new NamedScheduler(
        "portable",
        AdmissionTest.Kind.NON_PREEMPTIVE,
        (task, place) -> ThreadScheduling.OTHER.withSliceNs(ThreadScheduling.MIN_SLICE_NS),
        newFilters);
  }

  /** The scheduling of any other thread: what is analysed is not what runs; for development. */
  static CpuScheduler none() {
    return new NamedScheduler(
        "none", AdmissionTest.Kind.RESPONSE_TIMES, (task, place) -> ThreadScheduling.OTHER);
  }
}
