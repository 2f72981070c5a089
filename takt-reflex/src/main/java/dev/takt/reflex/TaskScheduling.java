package dev.takt.reflex;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Housekeeping;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Scheduling;
import dev.takt.realtime.os.WakeLatencyLimit;
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
 * @param policy {@link Policy#OTHER} (threads like any others), {@link Policy#FIFO}, {@link
 *     Policy#RR}, or {@link Policy#DEADLINE}: as FIFO, but the thread of a periodic task with a
 *     budget has it reserved by the kernel in each period
 * @param minPriority the lowest priority to ask for, 1 to 99; 0 with {@link Policy#OTHER}
 * @param maxPriority the highest priority to ask for, {@code minPriority} to 99; 0 with {@link
 *     Policy#OTHER}
 * @param activeCpus the processors for the threads of active tasks; null: all
 * @param workerCpus the processors for the workers; null: all
 * @param timerSlackNs how late the system may wake a thread without a real-time policy, in
 *     nanoseconds, at least 1; 0: as it is
 * @param memoryLocked whether the memory of the process is to stay in memory, so that no release
 *     waits for a disk
 * @param othersApart whether all threads of the process that have no real-time policy are to stay
 *     off the processors of those that have one, because a real-time thread may wait for a thread
 *     of the JVM that it keeps from running: see {@link Housekeeping}. Where {@code activeCpus} or
 *     {@code workerCpus} is null, it then means the {@linkplain CpuPartition#usual usual}
 *     processors for real-time threads
 * @param staysAwake whether idle processors of the machine are to stay awake while the runtime
 *     runs, so that a thread is woken without delay: see {@link WakeLatencyLimit}
 */
public record TaskScheduling(
    Policy policy,
    int minPriority,
    int maxPriority,
    @Nullable CpuSet activeCpus,
    @Nullable CpuSet workerCpus,
    long timerSlackNs,
    boolean memoryLocked,
    boolean othersApart,
    boolean staysAwake) {
  /** The system property that makes {@link #REALTIME} the default of all runtimes of a JVM. */
  public static final String PROPERTY = "takt.realtime";

  /**
   * The highest priority that {@link #REALTIME} asks for: below the threads with which the kernel
   * keeps itself alive (99).
   */
  public static final int DEFAULT_MAX_PRIORITY = 90;

  /** Asks for nothing. */
  public static final TaskScheduling NONE =
      new TaskScheduling(Policy.OTHER, 0, 0, null, null, 0, false, false, false);

  /**
   * Asks for {@link Policy#FIFO} with priorities 1 to {@value #DEFAULT_MAX_PRIORITY} on processors
   * that no other thread of the process uses, for locked memory, for idle processors that stay
   * awake, and for a timer slack of 1 ns where FIFO is not granted.
   */
  public static final TaskScheduling REALTIME = fifo(1, DEFAULT_MAX_PRIORITY);

  /** Checks each value. */
  public TaskScheduling {
    Objects.requireNonNull(policy, "policy");
    boolean ranked = policy != Policy.OTHER;
    if (ranked
        ? minPriority < Scheduling.MIN_PRIORITY
            || maxPriority < minPriority
            || maxPriority > Scheduling.MAX_PRIORITY
        : minPriority != 0 || maxPriority != 0) {
      throw new IllegalArgumentException(
          "minPriority=%s, maxPriority=%s (expected: %s with policy %s)"
              .formatted(
                  minPriority,
                  maxPriority,
                  (ranked ? "1 <= minPriority <= maxPriority <= 99" : "0 and 0"),
                  policy));
    }
    if (timerSlackNs < 0) {
      throw new IllegalArgumentException(
          "timerSlackNs=" + timerSlackNs + " (expected: at least 1, or 0: as it is)");
    }
  }

  /**
   * Asks for {@link Policy#FIFO} on processors that no other thread of the process uses, for locked
   * memory, idle processors that stay awake, and a timer slack of 1 ns.
   *
   * @param minPriority the lowest priority to ask for, at least 1
   * @param maxPriority the highest priority to ask for, at most 99
   */
  public static TaskScheduling fifo(int minPriority, int maxPriority) {
    return new TaskScheduling(
        Policy.FIFO, minPriority, maxPriority, null, null, 1, true, true, true);
  }

  /** Returns what the system property {@value #PROPERTY} asks for. */
  static TaskScheduling byProperty() {
    return Boolean.getBoolean(PROPERTY) ? REALTIME : NONE;
  }

  /**
   * Returns this, with other processors for the threads of active tasks; null: all, or if the
   * others are kept apart the {@linkplain CpuPartition#usual usual} ones for real-time threads.
   */
  public TaskScheduling withActiveCpus(@Nullable CpuSet cpus) {
    return withCpus(cpus, workerCpus);
  }

  /** Returns this, with another real-time policy. */
  public TaskScheduling withPolicy(Policy policy) {
    return new TaskScheduling(
        policy,
        minPriority,
        maxPriority,
        activeCpus,
        workerCpus,
        timerSlackNs,
        memoryLocked,
        othersApart,
        staysAwake);
  }

  /** Returns this, with other processors for the workers; null: as {@link #withActiveCpus}. */
  public TaskScheduling withWorkerCpus(@Nullable CpuSet cpus) {
    return withCpus(activeCpus, cpus);
  }

  /** Returns this, with the memory of the process locked or left as it is. */
  public TaskScheduling withMemoryLocked(boolean memoryLocked) {
    return withMachine(memoryLocked, othersApart, staysAwake);
  }

  /** Returns this, with the other threads of the process kept apart or not. */
  public TaskScheduling withOthersApart(boolean othersApart) {
    return withMachine(memoryLocked, othersApart, staysAwake);
  }

  /** Returns this, with idle processors kept awake or left as they are. */
  public TaskScheduling withStaysAwake(boolean staysAwake) {
    return withMachine(memoryLocked, othersApart, staysAwake);
  }

  private TaskScheduling withCpus(@Nullable CpuSet activeCpus, @Nullable CpuSet workerCpus) {
    return new TaskScheduling(
        policy,
        minPriority,
        maxPriority,
        activeCpus,
        workerCpus,
        timerSlackNs,
        memoryLocked,
        othersApart,
        staysAwake);
  }

  private TaskScheduling withMachine(
      boolean memoryLocked, boolean othersApart, boolean staysAwake) {
    return new TaskScheduling(
        policy,
        minPriority,
        maxPriority,
        activeCpus,
        workerCpus,
        timerSlackNs,
        memoryLocked,
        othersApart,
        staysAwake);
  }

  /**
   * Returns which processors are for real-time threads and which for all others; null if they are
   * not to be kept apart, or there are too few of them.
   */
  @Nullable CpuPartition partition() {
    if (!othersApart) {
      return null;
    }
    CpuPartition usual = CpuPartition.usual(OperatingSystems.current()).orElse(null);
    if (activeCpus == null && workerCpus == null) {
      return usual;
    }
    CpuSet active = activeCpus != null || usual == null ? activeCpus : usual.realtime();
    CpuSet worker = workerCpus != null || usual == null ? workerCpus : usual.realtime();
    return active == null || worker == null
        ? null
        : CpuPartition.ofRealtime(OperatingSystems.current(), active.or(worker)).orElse(null);
  }

  /** What the thread of an active task asks for. */
  Scheduling forActive(Schedule schedule) {
    if (policy == Policy.DEADLINE
        && schedule.release() instanceof Periodic release
        && release.budgetNs() >= Scheduling.MIN_RUNTIME_NS
        && release.budgetNs() <= release.deadlineNs()
        && release.deadlineNs() <= release.periodNs()) {
      return Scheduling.deadline(release.budgetNs(), release.deadlineNs(), release.periodNs());
    }
    boolean spins = schedule.release() instanceof Continuous;
    return forThread(spins ? Policy.OTHER : policy, schedule.priority(), activeCpus);
  }

  /** What a worker asks for that runs tasks of priorities up to this one. */
  Scheduling forWorker(int priority) {
    return forThread(policy, priority, workerCpus);
  }

  /**
   * Threads without a real-time policy are among the others, which have processors of their own.
   */
  private @Nullable CpuSet cpusFor(Policy policy, @Nullable CpuSet named) {
    CpuPartition partition = partition();
    if (partition == null) {
      return named;
    }
    if (!policy.isRealtime()) {
      return null;
    }
    return named != null ? named : partition.realtime();
  }

  private Scheduling forThread(Policy policy, int priority, @Nullable CpuSet cpus) {
    int limited = Math.clamp(priority, minPriority, maxPriority);
    Scheduling asked =
        switch (policy) {
          case FIFO, DEADLINE -> Scheduling.fifo(limited);
          case RR -> Scheduling.rr(limited);
          default -> Scheduling.OTHER;
        };
    return asked.withCpus(cpusFor(policy, cpus)).withTimerSlackNs(timerSlackNs);
  }
}
