package dev.takt.reflex;

import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Scheduling;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a runtime asks the operating system to schedule its threads.
 *
 * <p>The thread of an active task asks for the priority of its task, limited to a range; a worker
 * for the highest priority among the passive tasks that are registered when it is made. Each thread
 * asks for itself when it starts; what it got is a value, see {@link ReflexRuntime#grants}. Nothing
 * fails because something was not granted.
 *
 * <p>Two kinds of threads never ask for a real-time policy, because they could keep a processor for
 * ever and the kernel would then stop them for 50 ms in every second: that of an active task
 * without a period, which spins, and the one that initializes tasks and warms them up.
 *
 * @param policy {@link Policy#OTHER} (threads like any others), {@link Policy#FIFO} or {@link
 *     Policy#RR}
 * @param minPriority the lowest priority to ask for, 1 to 99; 0 with {@link Policy#OTHER}
 * @param maxPriority the highest priority to ask for, {@code minPriority} to 99; 0 with {@link
 *     Policy#OTHER}
 * @param activeCpus the processors for the threads of active tasks; null: all
 * @param workerCpus the processors for the workers; null: all
 * @param timerSlackNs how late the system may wake a thread without a real-time policy, in
 *     nanoseconds, at least 1; 0: as it is
 * @param memoryLocked whether the memory of the process is to stay in memory, so that no release
 *     waits for a disk
 */
public record TaskScheduling(
    Policy policy,
    int minPriority,
    int maxPriority,
    @Nullable CpuSet activeCpus,
    @Nullable CpuSet workerCpus,
    long timerSlackNs,
    boolean memoryLocked) {
  /** The system property that makes {@link #REALTIME} the default of all runtimes of a JVM. */
  public static final String PROPERTY = "takt.realtime";

  /**
   * The highest priority that {@link #REALTIME} asks for: below the threads with which the kernel
   * keeps itself alive (99).
   */
  public static final int DEFAULT_MAX_PRIORITY = 90;

  /** Asks for nothing. */
  public static final TaskScheduling NONE =
      new TaskScheduling(Policy.OTHER, 0, 0, null, null, 0, false);

  /**
   * Asks for {@link Policy#FIFO} with priorities 1 to {@value #DEFAULT_MAX_PRIORITY} on all
   * processors, for locked memory, and for a timer slack of 1 ns where FIFO is not granted.
   */
  public static final TaskScheduling REALTIME = fifo(1, DEFAULT_MAX_PRIORITY);

  /** Checks each value. */
  public TaskScheduling {
    Objects.requireNonNull(policy, "policy");
    if (policy == Policy.DEADLINE) {
      throw new IllegalArgumentException(
          "policy=DEADLINE (expected: OTHER, FIFO or RR; a task has a priority, not a reservation)");
    }
    boolean ranked = policy != Policy.OTHER;
    if (ranked
        ? minPriority < Scheduling.MIN_PRIORITY
            || maxPriority < minPriority
            || maxPriority > Scheduling.MAX_PRIORITY
        : minPriority != 0 || maxPriority != 0) {
      throw new IllegalArgumentException(
          "minPriority="
              + minPriority
              + ", maxPriority="
              + maxPriority
              + " (expected: "
              + (ranked ? "1 <= minPriority <= maxPriority <= 99" : "0 and 0")
              + " with policy "
              + policy
              + ")");
    }
    if (timerSlackNs < 0) {
      throw new IllegalArgumentException(
          "timerSlackNs=" + timerSlackNs + " (expected: at least 1, or 0: as it is)");
    }
  }

  /**
   * Asks for {@link Policy#FIFO}, locked memory and a timer slack of 1 ns.
   *
   * @param minPriority the lowest priority to ask for, at least 1
   * @param maxPriority the highest priority to ask for, at most 99
   */
  public static TaskScheduling fifo(int minPriority, int maxPriority) {
    return new TaskScheduling(Policy.FIFO, minPriority, maxPriority, null, null, 1, true);
  }

  /** Returns what the system property {@value #PROPERTY} asks for. */
  static TaskScheduling byProperty() {
    return Boolean.getBoolean(PROPERTY) ? REALTIME : NONE;
  }

  /** Returns this, with other processors for the threads of active tasks; null: all. */
  public TaskScheduling withActiveCpus(@Nullable CpuSet cpus) {
    return new TaskScheduling(
        policy, minPriority, maxPriority, cpus, workerCpus, timerSlackNs, memoryLocked);
  }

  /** Returns this, with other processors for the workers; null: all. */
  public TaskScheduling withWorkerCpus(@Nullable CpuSet cpus) {
    return new TaskScheduling(
        policy, minPriority, maxPriority, activeCpus, cpus, timerSlackNs, memoryLocked);
  }

  /** Returns this, with the memory of the process locked or left as it is. */
  public TaskScheduling withMemoryLocked(boolean memoryLocked) {
    return new TaskScheduling(
        policy, minPriority, maxPriority, activeCpus, workerCpus, timerSlackNs, memoryLocked);
  }

  /** What the thread of an active task asks for. */
  Scheduling forActive(Schedule schedule) {
    boolean spins = schedule.periodNs() == 0;
    return forThread(spins ? Policy.OTHER : policy, schedule.priority(), activeCpus);
  }

  /** What a worker asks for that runs tasks of priorities up to this one. */
  Scheduling forWorker(int priority) {
    return forThread(policy, priority, workerCpus);
  }

  private Scheduling forThread(Policy policy, int priority, @Nullable CpuSet cpus) {
    int limited = Math.clamp(priority, minPriority, maxPriority);
    Scheduling asked =
        switch (policy) {
          case FIFO -> Scheduling.fifo(limited);
          case RR -> Scheduling.rr(limited);
          default -> Scheduling.OTHER;
        };
    return asked.withCpus(cpus).withTimerSlackNs(timerSlackNs);
  }
}
