package dev.takt.reflex;

import dev.takt.realtime.Continuous;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuPartition;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.os.WakeLatencyLimit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
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
 * @param services what else is asked for
 */
public record RuntimeScheduling(
    Policy policy,
    int minPriority,
    int maxPriority,
    @Nullable CpuSet activeCpus,
    @Nullable CpuSet workerCpus,
    long timerSlackNs,
    Set<Service> services) {
  /** What can be asked of the operating system and of the JVM for all threads together. */
  public enum Service {
    /** The memory of the process stays in memory, so that no release waits for a disk. */
    MEMORY_LOCKED,

    /**
     * All threads of the process that have no real-time policy stay off the processors of those
     * that have one, because a real-time thread may wait for a thread of the JVM that it keeps from
     * running: see {@link CpuConfinement}. Where {@code activeCpus} or {@code workerCpus} is null,
     * it then means the {@linkplain CpuPartition#usual usual} processors for real-time threads.
     */
    OTHERS_APART,

    /**
     * Idle processors of the machine stay awake while the runtime runs, so that a thread is woken
     * without delay: see {@link WakeLatencyLimit}.
     */
    STAYS_AWAKE,

    /**
     * Garbage is collected before the first release ({@link System#gc}) and the heap does not
     * shrink while the runtime runs: what preparing has left is not collected in the middle of the
     * first releases.
     */
    HEAP_COLLECTED,

    /**
     * Warming up makes the string constants of all classes that releases may use, which the JVM
     * would make on the thread that has a method compiled: see {@link
     * dev.takt.realtime.StringConstants}.
     */
    STRINGS_PREPARED
  }

  /** The system property that makes {@link #REALTIME} the default of all runtimes of a JVM. */
  public static final String PROPERTY = "takt.realtime";

  /**
   * The highest priority that {@link #REALTIME} asks for: below the threads with which the kernel
   * keeps itself alive (99).
   */
  public static final int DEFAULT_MAX_PRIORITY = 90;

  /** Asks for nothing. */
  public static final RuntimeScheduling NONE =
      new RuntimeScheduling(Policy.OTHER, 0, 0, null, null, 0, Set.of());

  /**
   * Asks for {@link Policy#FIFO} with priorities 1 to {@value #DEFAULT_MAX_PRIORITY} on processors
   * that no other thread of the process uses, for all services, and for a timer slack of 1 ns where
   * FIFO is not granted.
   */
  public static final RuntimeScheduling REALTIME = fifo(1, DEFAULT_MAX_PRIORITY);

  /** Checks each value. */
  public RuntimeScheduling {
    Objects.requireNonNull(policy, "policy");
    services = Set.copyOf(services);
    boolean ranked = policy != Policy.OTHER;
    if (ranked
        ? minPriority < ThreadScheduling.MIN_PRIORITY
            || maxPriority < minPriority
            || maxPriority > ThreadScheduling.MAX_PRIORITY
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
   * Asks for {@link Policy#FIFO} on processors that no other thread of the process uses, for all
   * services and a timer slack of 1 ns.
   *
   * @param minPriority the lowest priority to ask for, at least 1
   * @param maxPriority the highest priority to ask for, at most 99
   */
  public static RuntimeScheduling fifo(int minPriority, int maxPriority) {
    return new RuntimeScheduling(
        Policy.FIFO, minPriority, maxPriority, null, null, 1, EnumSet.allOf(Service.class));
  }

  /** Returns what the system property {@value #PROPERTY} asks for. */
  static RuntimeScheduling byProperty() {
    return Boolean.getBoolean(PROPERTY) ? REALTIME : NONE;
  }

  /**
   * Returns this, with other processors for the threads of active tasks; null: all, or if the
   * others are kept apart the {@linkplain CpuPartition#usual usual} ones for real-time threads.
   */
  public RuntimeScheduling withActiveCpus(@Nullable CpuSet cpus) {
    return with(policy, cpus, workerCpus, services);
  }

  /** Returns this, with other processors for the workers; null: as {@link #withActiveCpus}. */
  public RuntimeScheduling withWorkerCpus(@Nullable CpuSet cpus) {
    return with(policy, activeCpus, cpus, services);
  }

  /** Returns this, with another real-time policy. */
  public RuntimeScheduling withPolicy(Policy policy) {
    return with(policy, activeCpus, workerCpus, services);
  }

  /** Returns this, asking for a service, too. */
  public RuntimeScheduling with(Service service) {
    Set<Service> more = new HashSet<>(services);
    more.add(service);
    return with(policy, activeCpus, workerCpus, more);
  }

  /** Returns this, not asking for a service. */
  public RuntimeScheduling without(Service service) {
    Set<Service> less = new HashSet<>(services);
    less.remove(service);
    return with(policy, activeCpus, workerCpus, less);
  }

  private RuntimeScheduling with(
      Policy policy,
      @Nullable CpuSet activeCpus,
      @Nullable CpuSet workerCpus,
      Set<Service> services) {
    return new RuntimeScheduling(
        policy, minPriority, maxPriority, activeCpus, workerCpus, timerSlackNs, services);
  }

  /** Returns whether a service is asked for. */
  public boolean asks(Service service) {
    return services.contains(service);
  }

  /**
   * Returns which processors are for real-time threads and which for all others; null if they are
   * not to be kept apart, or there are too few of them.
   */
  @Nullable CpuPartition partition() {
    if (!asks(Service.OTHERS_APART)) {
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
  ThreadScheduling forActive(Schedule schedule) {
    if (policy == Policy.DEADLINE
        && schedule.release() instanceof Periodic release
        && release.budgetNs() >= ThreadScheduling.MIN_RUNTIME_NS
        && release.budgetNs() <= release.deadlineNs()
        && release.deadlineNs() <= release.periodNs()) {
      return ThreadScheduling.deadline(
          release.budgetNs(), release.deadlineNs(), release.periodNs());
    }
    boolean spins = schedule.release() instanceof Continuous;
    return forThread(spins ? Policy.OTHER : policy, schedule.priority(), activeCpus);
  }

  /** What the thread of an active task asks for that was given a scheduling by its admission. */
  ThreadScheduling forActive(ThreadScheduling given) {
    return forGiven(given, activeCpus);
  }

  /** What a worker asks for that was given a scheduling by its admission. */
  ThreadScheduling forWorker(ThreadScheduling given) {
    return forGiven(given, workerCpus);
  }

  /** What a thread asks for that takes nothing from others. */
  ThreadScheduling bestEffort() {
    return forThread(Policy.OTHER, 0, null);
  }

  private ThreadScheduling forGiven(ThreadScheduling given, @Nullable CpuSet named) {
    ThreadScheduling asked =
        given.timerSlackNs() == 0 ? given.withTimerSlackNs(timerSlackNs) : given;
    return given.cpus() != null || given.policy() == Policy.DEADLINE
        ? asked
        : asked.withCpus(cpusFor(given.policy(), named));
  }

  /** What a worker asks for that runs tasks of priorities up to this one. */
  ThreadScheduling forWorker(int priority) {
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

  private ThreadScheduling forThread(Policy policy, int priority, @Nullable CpuSet cpus) {
    int limited = Math.clamp(priority, minPriority, maxPriority);
    ThreadScheduling asked =
        switch (policy) {
          case FIFO, DEADLINE -> ThreadScheduling.fifo(limited);
          case RR -> ThreadScheduling.rr(limited);
          default -> ThreadScheduling.OTHER;
        };
    return asked.withCpus(cpusFor(policy, cpus)).withTimerSlackNs(timerSlackNs);
  }
}
