package dev.takt.cpu;

import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.UtilizationBounds;
import dev.takt.cpu.cost.CostBound;
import dev.takt.cpu.monitor.SystemFiles;
import dev.takt.cpu.portable.BatonThread;
import dev.takt.cpu.portable.RealTimeFilter;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link CpuManager}; immutable.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class ManagerSettings implements Cloneable {
  /** Why there is one processor with reservations, and what to do. */
  public static final String ONE_FOR_RESERVATIONS =
      "because the kernel moves its reservations from one to another; name one, or take fixed"
          + " priorities";

  private @Nullable CpuScheduler scheduler;
  private boolean isApart = true;
  private double extensum = 1;
  private double mostExtensum;
  private double alpha = AdmissionTest.DEFAULT_ALPHA;
  private @Nullable CpuSet cpus;
  private int trialReleases = CostBound.MIN_RELEASES;
  private double probability = CostBound.DEFAULT_PROBABILITY;
  private long lookPeriodNs = 800_000;
  private @Nullable Consumer<ManagerEvent> events;
  private @Nullable Function<Class<?>, CodeClass> classes;
  private @Nullable Path learnedCosts;
  private SystemFiles files = SystemFiles.ofThisMachine();
  private NanoClock clock = NanoClock.system();
  private boolean counters = true;
  private boolean isRehearsal;
  private OperatingSystem system = OperatingSystems.current();

  private ManagerSettings() {}

  /** Returns the settings by default, on this machine. */
  public static ManagerSettings defaults() {
    return new ManagerSettings();
  }

  private ManagerSettings with(Consumer<ManagerSettings> change) {
    try {
      ManagerSettings copy = (ManagerSettings) clone();
      change.accept(copy);
      copy.checkReservations();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The kernel runs reservations on any processor, and each task is admitted to one of them. */
  private void checkReservations() {
    if (cpus != null
        && cpus.size() > 1
        && scheduler != null
        && scheduler.analysis() == AdmissionTest.Kind.DEMAND) {
      throw new IllegalArgumentException(
          "cpus=%s (limit: one processor with the scheduler %s, %s)"
              .formatted(cpus, scheduler, ONE_FOR_RESERVATIONS));
    }
  }

  /**
   * Returns how tasks get the processor, and so by which analysis they are admitted: what was set,
   * or else the {@linkplain SchedulerChoice#best best} that is granted now, which a thread tries.
   */
  public CpuScheduler scheduler() {
    return choice().scheduler();
  }

  SchedulerChoice choice() {
    return scheduler == null
        ? SchedulerChoice.best(system)
        : new SchedulerChoice(scheduler, "it was asked for");
  }

  /**
   * Returns these settings with a scheduler, in place of the best that is granted.
   *
   * @throws IllegalArgumentException if it is that of {@linkplain CpuScheduler#deadline
   *     reservations}, and there are several processors
   */
  public ManagerSettings withScheduler(CpuScheduler scheduler) {
    return with(copy -> copy.scheduler = Objects.requireNonNull(scheduler, "scheduler"));
  }

  /**
   * Returns these settings with other factors of the admission.
   *
   * @param extensum E, by how much more time than its cost each task is given, 1 (the default) to
   *     1,000
   * @param alpha the share of each processor that tasks may take, above 0, at most 1; 0.7 by
   *     default
   */
  public ManagerSettings withFactors(double extensum, double alpha) {
    UtilizationBounds.checkFactors(extensum, alpha);
    return with(
        copy -> {
          copy.extensum = extensum;
          copy.mostExtensum = 0;
          copy.alpha = alpha;
        });
  }

  /**
   * Returns these settings with an E that follows what the machine does, four times a second: the
   * {@linkplain dev.takt.cpu.monitor CPU monitor} says it. It begins at the present one, which is
   * the least. Without this E is fixed, so that the same tasks are admitted each time.
   *
   * @param most the largest E, at least the present one, at most 1,000; 2 is plenty
   */
  public ManagerSettings withMeasuredExtensum(double most) {
    UtilizationBounds.checkExtensum("most", most);
    if (most < extensum) {
      throw new IllegalArgumentException(
          "most=%s (expected: at least the present extensum, %s)".formatted(most, extensum));
    }
    return with(copy -> copy.mostExtensum = most);
  }

  /** Returns the processors of the tasks; null: any. */
  public @Nullable CpuSet cpus() {
    return cpus;
  }

  /**
   * Returns these settings with processors for the tasks, each task on one of them.
   *
   * @param cpus null (the default): tasks run on any. The {@linkplain CpuScheduler#portable
   *     portable} scheduler then lets as many of them run at once as the process may use
   *     processors, by the system's clock; by another clock, whose time is that of one processor,
   *     and with the other schedulers, tasks are admitted as if there were one processor
   * @throws IllegalArgumentException if there are several, and the scheduler is that of {@linkplain
   *     CpuScheduler#deadline reservations}
   */
  public ManagerSettings withCpus(@Nullable CpuSet cpus) {
    return with(copy -> copy.cpus = cpus);
  }

  /**
   * Returns whether threads without a real-time policy are kept off the processors of tasks that
   * have one.
   */
  public boolean isApart() {
    return isApart;
  }

  /**
   * Returns these settings with or without processors apart. With them (the default), while a
   * manager with fixed priorities runs, all other threads of the process stay off {@link #cpus}, or
   * off the {@linkplain dev.takt.realtime.os.CpuPartition#usual usual} ones for real-time threads
   * if that is null, and the tasks are on these. A real-time Java thread that shares a processor
   * with an ordinary one may stand still for 20 to 100 ms, or for good.
   */
  public ManagerSettings withApart(boolean isApart) {
    return with(copy -> copy.isApart = isApart);
  }

  /** Returns of how many releases a cost is learned. */
  public int trialReleases() {
    return trialReleases;
  }

  /** Returns these settings with another length of trials, 100 to 1,000,000; 1,000 by default. */
  public ManagerSettings withTrialReleases(int trialReleases) {
    Ranges.check("trialReleases", trialReleases, 100, 1_000_000);
    return with(copy -> copy.trialReleases = trialReleases);
  }

  /** Returns with which probability a release may exceed the cost that was learned. */
  public double probability() {
    return probability;
  }

  /**
   * Returns these settings with another probability of exceeding, 1e-12 to 0.01; 1e-6 by default.
   */
  public ManagerSettings withProbability(double probability) {
    CostBound.checkProbability(probability);
    return with(copy -> copy.probability = probability);
  }

  /** Returns where costs that were learned are kept; null: nowhere. */
  public @Nullable Path learnedCosts() {
    return learnedCosts;
  }

  /**
   * Returns these settings with a file that keeps what trials have learned, for the next process: a
   * task whose code has not changed is admitted with that, without a trial. The folder must exist;
   * two managers must not have the same file.
   *
   * @param file null (the default): each task without a budget has a trial
   */
  public ManagerSettings withLearnedCosts(@Nullable Path file) {
    return with(copy -> copy.learnedCosts = file);
  }

  /** Returns what says how busy the machine is. */
  public SystemFiles systemFiles() {
    return files;
  }

  /** Returns these settings with other files of the system than those of this machine. */
  public ManagerSettings withSystemFiles(SystemFiles files) {
    return with(copy -> copy.files = Objects.requireNonNull(files, "files"));
  }

  /**
   * Returns how long after its cost a release that runs on is found at most, in nanoseconds; up to
   * four times as long where that harms no other task, and looks would follow each other.
   */
  public long lookPeriodNs() {
    return lookPeriodNs;
  }

  /**
   * Returns these settings with another time in which a release that has exceeded its cost is
   * found, 100,000 to 1,000,000,000 ns; 800,000 by default, so that it is within a millisecond, or
   * up to four times as long where that harms no other task. Looks are as far apart at least, but
   * for those that follow a change of the tasks.
   */
  public ManagerSettings withLookPeriodNs(long lookPeriodNs) {
    Ranges.check("lookPeriodNs", lookPeriodNs, 100_000, 1_000_000_000);
    return with(copy -> copy.lookPeriodNs = lookPeriodNs);
  }

  /** Returns what is called with what happens; without it, nothing is. */
  Consumer<ManagerEvent> events() {
    return events == null ? event -> {} : events;
  }

  boolean hasEvents() {
    return events != null;
  }

  /**
   * Returns these settings with a receiver of events, in place of the log ({@link System.Logger}
   * {@code dev.takt.cpu}), which has what needs somebody's attention. It is called on any thread,
   * the supervisor's among them, and perhaps while that thread holds the manager's lock: it must
   * not block, and must not wait for a thread that uses the manager. What it throws goes to the
   * thread's handler of uncaught exceptions.
   */
  public ManagerSettings withEvents(Consumer<ManagerEvent> events) {
    return with(copy -> copy.events = Objects.requireNonNull(events, "events"));
  }

  /**
   * Returns these settings with a function that tells the class of code.
   *
   * @param classes is asked with the class of a task's code when it is registered, on that thread;
   *     the class that a {@link Profile} names is not believed then. Null (the default): it is
   */
  public ManagerSettings withClasses(@Nullable Function<Class<?>, CodeClass> classes) {
    return with(copy -> copy.classes = classes);
  }

  /** Returns whether a function tells the class of code. */
  boolean hasClasses() {
    return classes != null;
  }

  /** Returns the class of code that names one itself. */
  CodeClass classOf(Class<?> code, AuthenticationClass named) {
    return classes == null ? CodeClass.of("", named) : classes.apply(code);
  }

  /** Returns the time by which tasks are released. */
  public NanoClock clock() {
    return clock;
  }

  /** Returns these settings with another clock. */
  public ManagerSettings withClock(NanoClock clock) {
    return with(copy -> copy.clock = Objects.requireNonNull(clock, "clock"));
  }

  /** Returns what schedules the threads. */
  public OperatingSystem system() {
    return system;
  }

  /** Returns these settings with another operating system. */
  public ManagerSettings withSystem(OperatingSystem system) {
    return with(copy -> copy.system = Objects.requireNonNull(system, "system"));
  }

  /** Returns what measures other threads: the system, or where it does not the JVM. */
  Supervisor.ThreadTimes threadTimes() {
    return measuresByJvm() ? ThreadMeter::usedNs : system::threadTimeNs;
  }

  /** Returns the numbers of threads that go with {@link #threadTimes}. */
  ManagedTask.ThreadNumbers threadNumbers() {
    return measuresByJvm()
        ? () -> (int) Thread.currentThread().threadId() // after two thousand million, of no thread
        : system::threadId;
  }

  private boolean measuresByJvm() {
    return !system.isNative() && clock == NanoClock.system();
  }

  /** Returns whether others see its counters, as {@code takt top} and as MBeans. */
  public boolean counters() {
    return counters;
  }

  /**
   * Returns these settings with or without counters for others to see; with them by default, unless
   * the system property {@code takt.counters} is {@code off}.
   */
  public ManagerSettings withCounters(boolean counters) {
    return with(copy -> copy.counters = counters);
  }

  /** Returns settings of which nobody sees what happens: no event, no counter, no file. */
  ManagerSettings forRehearsal() {
    return withEvents(event -> {})
        .withLearnedCosts(null)
        .withCounters(false)
        .with(copy -> copy.isRehearsal = true);
  }

  boolean isRehearsal() {
    return isRehearsal;
  }

  /** Returns to how many processors tasks are admitted now; the process may get others. */
  int processors() {
    if (cpus != null) {
      return cpus.size();
    }
    boolean takesTurns = scheduler().analysis() == AdmissionTest.Kind.NON_PREEMPTIVE;
    return takesTurns && clock == NanoClock.system()
        ? Math.min(Runtime.getRuntime().availableProcessors(), AdmissionControl.MAX_PROCESSORS)
        : 1;
  }

  /** Returns E, by how much more time than its cost each task is given. */
  public double extensum() {
    return extensum;
  }

  /** Returns the share of each processor that tasks may take. */
  public double alpha() {
    return alpha;
  }

  /** Returns the largest E; 0: it is fixed. */
  public double mostExtensum() {
    return mostExtensum;
  }

  /** Returns a thread that gives a processor to its tasks in turn; null: the system does. */
  @Nullable BatonThread newBaton(int processor) {
    List<RealTimeFilter> filters = scheduler().newFilters();
    return filters == null
        ? null
        : new BatonThread(
            system,
            clock,
            ThreadScheduling.OTHER
                .withSliceNs(ThreadScheduling.MIN_SLICE_NS)
                .withTimerSlackNs(1)
                .withCpus(cpus == null ? null : cpu(processor)),
            filters);
  }

  /** Returns a processor of the tasks. */
  CpuSet cpu(int processor) {
    return CpuSet.of(Objects.requireNonNull(cpus, "cpus").toArray()[processor]);
  }

  AdmissionTest test() {
    return new AdmissionTest(scheduler().analysis(), extensum, alpha);
  }
}
