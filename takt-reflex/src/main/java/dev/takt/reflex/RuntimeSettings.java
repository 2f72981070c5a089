package dev.takt.reflex;

import dev.takt.realtime.Admission;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.ReadyQueue;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.internal.Ranges;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a task runtime, and what it gets its time from. Immutable: each {@code with} method
 * returns changed settings.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class RuntimeSettings implements Cloneable {
  private static final long MAX_NS = 1L << 60;

  /**
   * The defaults: one worker less than there are processors, 16,384 tasks, each task class warmed
   * up for 100 ms.
   */
  public static final RuntimeSettings DEFAULTS = new RuntimeSettings();

  private int workers = Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 64);
  private int maxTasks = 16_384;
  private int maxFailures = 10;
  private int maxReleaseEvents = 64;
  private long warmUpNs = 100_000_000;
  private long stopGraceNs = 1_000_000_000;
  private int maxAtomicEntries = 1_024;
  private long atomicTimeoutNs = 1_000_000_000;
  private RuntimeScheduling scheduling = RuntimeScheduling.byProperty();
  private @Nullable Admission admission;
  private @Nullable PassiveServer passiveServer;
  private TaskRecovery recovery = TaskRecovery.NONE;
  private NanoClock clock = NanoClock.system();
  private List<ReleaseListener> listeners = List.of();
  private @Nullable TaskFailureHandler failureHandler;
  private boolean counters = true;
  private boolean uncheckedTasks = Boolean.getBoolean("takt.unchecked");

  private RuntimeSettings() {}

  private RuntimeSettings with(Consumer<RuntimeSettings> change) {
    try {
      RuntimeSettings copy = (RuntimeSettings) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns how many threads run the passive tasks. */
  public int workers() {
    return workers;
  }

  /**
   * Returns these settings with another number of workers (1 to 64); with a {@linkplain
   * #withPassiveServer server} there is one in any case.
   */
  public RuntimeSettings withWorkers(int workers) {
    return with(copy -> copy.workers = (int) Ranges.check("workers", workers, 1, 64));
  }

  /** Returns how many tasks can be registered. */
  public int maxTasks() {
    return maxTasks;
  }

  /**
   * Returns these settings with another limit of tasks; each takes 8 bytes for every priority in
   * use among passive tasks.
   */
  public RuntimeSettings withMaxTasks(int maxTasks) {
    return with(
        copy -> copy.maxTasks = (int) Ranges.check("maxTasks", maxTasks, 1, ReadyQueue.MAX_INDEX));
  }

  /** Returns how many releases in a row may fail before a task is stopped. */
  public int maxFailures() {
    return maxFailures;
  }

  /**
   * Returns these settings with another limit of failures in a row; releases that fail because the
   * space is full do not count.
   */
  public RuntimeSettings withMaxFailures(int maxFailures) {
    return with(
        copy ->
            copy.maxFailures =
                (int) Ranges.check("maxFailures", maxFailures, 1, Integer.MAX_VALUE));
  }

  /** Returns how many events a release can get from {@code event()} and {@code take(template)}. */
  public int maxReleaseEvents() {
    return maxReleaseEvents;
  }

  /**
   * Returns these settings with another limit of events in one release; each takes about 200 bytes
   * for every thread of the runtime.
   */
  public RuntimeSettings withMaxReleaseEvents(int maxReleaseEvents) {
    return with(
        copy ->
            copy.maxReleaseEvents =
                (int) Ranges.check("maxReleaseEvents", maxReleaseEvents, 1, 1 << 20));
  }

  /** Returns whether tasks are taken that were woven without a look at the rules. */
  public boolean uncheckedTasks() {
    return uncheckedTasks;
  }

  /**
   * Returns these settings with or without tasks that were woven without a look at the rules; for
   * tests, whose tasks assert, count and fail on purpose. Without this the system property {@code
   * takt.unchecked} decides; default: such tasks are refused.
   */
  public RuntimeSettings withUncheckedTasks(boolean uncheckedTasks) {
    return with(copy -> copy.uncheckedTasks = uncheckedTasks);
  }

  /** Returns whether others see its counters, as {@code takt top} and as MBeans. */
  public boolean counters() {
    return counters;
  }

  /**
   * Returns these settings with or without counters for others to see; with them by default, unless
   * the system property {@code takt.counters} is {@code off}.
   */
  public RuntimeSettings withCounters(boolean counters) {
    return with(copy -> copy.counters = counters);
  }

  /** Returns how long each task class is warmed up at most before its first release; 0: not. */
  public long warmUpNs() {
    return warmUpNs;
  }

  /** Returns these settings with another time to warm up each task class; 0: none. */
  public RuntimeSettings withWarmUpNs(long warmUpNs) {
    return with(copy -> copy.warmUpNs = Ranges.check("warmUpNs", warmUpNs, 0, MAX_NS));
  }

  /** Returns how long {@link ReflexRuntime#stop} waits for releases that it has ended by force. */
  public long stopGraceNs() {
    return stopGraceNs;
  }

  /** Returns these settings with another time to wait for releases that were ended by force. */
  public RuntimeSettings withStopGraceNs(long stopGraceNs) {
    return with(copy -> copy.stopGraceNs = Ranges.check("stopGraceNs", stopGraceNs, 0, MAX_NS));
  }

  /** Returns how many changes committed atomic calls may leave for one release of a task. */
  public int maxAtomicEntries() {
    return maxAtomicEntries;
  }

  /**
   * Returns these settings with another limit of changes that atomic calls leave, about 40 bytes
   * each.
   */
  public RuntimeSettings withMaxAtomicEntries(int maxAtomicEntries) {
    return with(
        copy ->
            copy.maxAtomicEntries =
                (int) Ranges.check("maxAtomicEntries", maxAtomicEntries, 1, 1 << 20));
  }

  /** Returns how long an atomic call waits for a release to end, or for room. */
  public long atomicTimeoutNs() {
    return atomicTimeoutNs;
  }

  /** Returns these settings with another time that an atomic call waits at most. */
  public RuntimeSettings withAtomicTimeoutNs(long atomicTimeoutNs) {
    return with(
        copy -> copy.atomicTimeoutNs = Ranges.check("atomicTimeoutNs", atomicTimeoutNs, 0, MAX_NS));
  }

  /**
   * Returns what the threads ask of the operating system: nothing, unless the system property
   * {@value RuntimeScheduling#PROPERTY} is true.
   */
  public RuntimeScheduling scheduling() {
    return scheduling;
  }

  /** Returns these settings, asking for something else of the operating system. */
  public RuntimeSettings withScheduling(RuntimeScheduling scheduling) {
    return with(copy -> copy.scheduling = Objects.requireNonNull(scheduling, "scheduling"));
  }

  /**
   * Returns what decides which tasks are registered: what was given, or what is {@linkplain
   * Admission#installed installed} in this JVM where none was, or where that is {@linkplain
   * Admission#isBinding binding}.
   */
  public Admission admission() {
    Admission installed = Admission.installed();
    return admission == null || installed.isBinding() ? installed : admission;
  }

  /**
   * Returns these settings with another admission; {@link Admission#ALL} admits everything,
   * whatever is installed, unless that is {@linkplain Admission#isBinding binding}. What it wants
   * to be called around releases is called before the other listeners.
   */
  public RuntimeSettings withAdmission(Admission admission) {
    return with(copy -> copy.admission = Objects.requireNonNull(admission, "admission"));
  }

  /**
   * Returns how much processor time the passive tasks have together; null: no limit, or what the
   * admission gives.
   */
  public @Nullable PassiveServer passiveServer() {
    return passiveServer;
  }

  /**
   * Returns these settings with a server for the passive tasks: one worker, whatever {@code
   * workers} is, which sleeps when the budget of a period is used up. So a flood of events cannot
   * keep the processor from others.
   *
   * @param passiveServer null (the default): as many workers as there are, without a limit; where
   *     an {@link Admission} has servers, {@link PassiveServer#DEFAULT} or what its rules allow
   */
  public RuntimeSettings withPassiveServer(@Nullable PassiveServer passiveServer) {
    return with(copy -> copy.passiveServer = passiveServer);
  }

  /** Returns what gives tasks back their stored state. */
  public TaskRecovery recovery() {
    return recovery;
  }

  /**
   * Returns these settings with what gives tasks back their stored state at registration; a task
   * tells with {@link ReflexTask#isRecovered()} whether it did.
   */
  public RuntimeSettings withRecovery(TaskRecovery recovery) {
    return with(copy -> copy.recovery = Objects.requireNonNull(recovery, "recovery"));
  }

  /** Returns the clock of all releases. */
  public NanoClock clock() {
    return clock;
  }

  /** Returns these settings with another clock. */
  public RuntimeSettings withClock(NanoClock clock) {
    return with(copy -> copy.clock = Objects.requireNonNull(clock, "clock"));
  }

  /** Returns what is called before and after each release, in this order. */
  public List<ReleaseListener> listeners() {
    return listeners;
  }

  /** Returns these settings with other listeners. */
  public RuntimeSettings withListeners(ReleaseListener... listeners) {
    return with(copy -> copy.listeners = List.of(listeners));
  }

  /**
   * Returns what is called for each failure, or null: then the first one of each task is logged
   * with its stack trace, later ones are counted in the log, and there is a line when a task is
   * stopped ({@link System.Logger} {@code dev.takt.reflex}).
   */
  public @Nullable TaskFailureHandler failureHandler() {
    return failureHandler;
  }

  /** Returns these settings with another handler of failures, or with the log instead. */
  public RuntimeSettings withFailureHandler(@Nullable TaskFailureHandler failureHandler) {
    return with(copy -> copy.failureHandler = failureHandler);
  }
}
