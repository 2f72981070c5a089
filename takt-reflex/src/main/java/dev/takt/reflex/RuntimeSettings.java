package dev.takt.reflex;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.ReleaseListener;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a task runtime, and what it gets its time from.
 *
 * @param workers how many threads run the passive tasks (1 to 64)
 * @param maxTasks how many tasks can be registered; 8 bytes each for every priority in use among
 *     passive tasks
 * @param maxFailures how many releases in a row may fail before a task is stopped; those that fail
 *     because the space is full do not count
 * @param maxReleaseEvents how many events a release can get from {@code event()} and {@code
 *     take(template)}; about 200 bytes each, for every thread of the runtime
 * @param maxStableArrayBytes how many bytes of primitive arrays the fields of a task that is not
 *     woven can hold; they are copied before each release, about 1 ns for 32 bytes
 * @param unwoven whether tasks may run whose classes are not woven: slower, with fewer kinds of
 *     fields, without limits of memory, and never ended from outside; for tests and IDE runs
 * @param warmUpNs how long each task class is warmed up at most before its first release, in
 *     nanoseconds; 0: not at all
 * @param stopGraceNs how long {@link ReflexRuntime#stop} waits for releases that it has ended by
 *     force, in nanoseconds
 * @param maxAtomicEntries how many changes committed atomic calls may leave for one release of a
 *     task; about 40 bytes each
 * @param atomicTimeoutNs how long an atomic call waits for a release to end, or for room, in
 *     nanoseconds
 * @param scheduling what the threads ask of the operating system; nothing, unless the system
 *     property {@value TaskScheduling#PROPERTY} is true
 * @param clock the clock of all releases
 * @param listeners are called before and after each release, in this order
 * @param failureHandler who is told about each failure, or null: then the first one of each task is
 *     logged with its stack trace, later ones are counted in the log, and there is a line when a
 *     task is stopped ({@link System.Logger} {@code dev.takt.reflex})
 */
public record RuntimeSettings(
    int workers,
    int maxTasks,
    int maxFailures,
    int maxReleaseEvents,
    int maxStableArrayBytes,
    boolean unwoven,
    long warmUpNs,
    long stopGraceNs,
    int maxAtomicEntries,
    long atomicTimeoutNs,
    TaskScheduling scheduling,
    NanoClock clock,
    List<ReleaseListener> listeners,
    @Nullable TaskFailureHandler failureHandler) {
  private static final long MAX_NS = 1L << 60;

  /**
   * The system property that makes the defaults those for development, without a change of code: a
   * task need not be woven then, and is not warmed up. For tests and IDE runs.
   */
  public static final String DEVELOPMENT_PROPERTY = "takt.development";

  /**
   * The defaults: one worker less than there are processors, 16,384 tasks, woven, warmed up for 100
   * ms. With {@code -Dtakt.development=true} they are {@link #DEVELOPMENT}.
   */
  public static final RuntimeSettings DEFAULTS = defaults(Boolean.getBoolean(DEVELOPMENT_PROPERTY));

  /** For tests and IDE runs: the defaults, but tasks need not be woven and are not warmed up. */
  public static final RuntimeSettings DEVELOPMENT = DEFAULTS.withUnwoven(true).withWarmUpNs(0);

  static RuntimeSettings defaults(boolean development) {
    return new RuntimeSettings(
        Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 64),
        16_384,
        10,
        64,
        4_096,
        development,
        development ? 0 : 100_000_000,
        1_000_000_000,
        1_024,
        1_000_000_000,
        TaskScheduling.byProperty(),
        NanoClock.system(),
        List.of(),
        null);
  }

  /** Checks each limit. */
  public RuntimeSettings {
    check("workers", workers, 1, 64);
    check("maxTasks", maxTasks, 1, RunQueue.MAX_INDEX);
    check("maxFailures", maxFailures, 1, Integer.MAX_VALUE);
    check("maxReleaseEvents", maxReleaseEvents, 1, 1 << 20);
    check("maxStableArrayBytes", maxStableArrayBytes, 0, 1 << 26);
    check("warmUpNs", warmUpNs, 0, MAX_NS);
    check("stopGraceNs", stopGraceNs, 0, MAX_NS);
    check("maxAtomicEntries", maxAtomicEntries, 1, 1 << 20);
    check("atomicTimeoutNs", atomicTimeoutNs, 0, MAX_NS);
    Objects.requireNonNull(scheduling, "scheduling");
    Objects.requireNonNull(clock, "clock");
    listeners = List.copyOf(listeners);
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** Returns these settings with another number of workers. */
  public RuntimeSettings withWorkers(int workers) {
    Draft draft = new Draft(this);
    draft.workers = workers;
    return draft.settings();
  }

  /** Returns these settings with another limit of tasks. */
  public RuntimeSettings withMaxTasks(int maxTasks) {
    Draft draft = new Draft(this);
    draft.maxTasks = maxTasks;
    return draft.settings();
  }

  /** Returns these settings with another limit of failures in a row. */
  public RuntimeSettings withMaxFailures(int maxFailures) {
    Draft draft = new Draft(this);
    draft.maxFailures = maxFailures;
    return draft.settings();
  }

  /** Returns these settings with another limit of events in one release. */
  public RuntimeSettings withMaxReleaseEvents(int maxReleaseEvents) {
    Draft draft = new Draft(this);
    draft.maxReleaseEvents = maxReleaseEvents;
    return draft.settings();
  }

  /** Returns these settings with another limit of array bytes in an unwoven task's fields. */
  public RuntimeSettings withMaxStableArrayBytes(int maxStableArrayBytes) {
    Draft draft = new Draft(this);
    draft.maxStableArrayBytes = maxStableArrayBytes;
    return draft.settings();
  }

  /** Returns these settings, with tasks allowed whose classes are not woven, or refused. */
  public RuntimeSettings withUnwoven(boolean unwoven) {
    Draft draft = new Draft(this);
    draft.unwoven = unwoven;
    return draft.settings();
  }

  /** Returns these settings with another time to warm up each task class; 0: none. */
  public RuntimeSettings withWarmUpNs(long warmUpNs) {
    Draft draft = new Draft(this);
    draft.warmUpNs = warmUpNs;
    return draft.settings();
  }

  /** Returns these settings with another time to wait for releases that were ended by force. */
  public RuntimeSettings withStopGraceNs(long stopGraceNs) {
    Draft draft = new Draft(this);
    draft.stopGraceNs = stopGraceNs;
    return draft.settings();
  }

  /** Returns these settings with another limit of changes that atomic calls leave. */
  public RuntimeSettings withMaxAtomicEntries(int maxAtomicEntries) {
    Draft draft = new Draft(this);
    draft.maxAtomicEntries = maxAtomicEntries;
    return draft.settings();
  }

  /** Returns these settings with another time that an atomic call waits at most. */
  public RuntimeSettings withAtomicTimeoutNs(long atomicTimeoutNs) {
    Draft draft = new Draft(this);
    draft.atomicTimeoutNs = atomicTimeoutNs;
    return draft.settings();
  }

  /** Returns these settings, asking for something else of the operating system. */
  public RuntimeSettings withScheduling(TaskScheduling scheduling) {
    Draft draft = new Draft(this);
    draft.scheduling = scheduling;
    return draft.settings();
  }

  /** Returns these settings with another clock. */
  public RuntimeSettings withClock(NanoClock clock) {
    Draft draft = new Draft(this);
    draft.clock = clock;
    return draft.settings();
  }

  /** Returns these settings with other listeners. */
  public RuntimeSettings withListeners(ReleaseListener... listeners) {
    Draft draft = new Draft(this);
    draft.listeners = List.of(listeners);
    return draft.settings();
  }

  /** Returns these settings with another handler of failures, or with the log instead. */
  public RuntimeSettings withFailureHandler(@Nullable TaskFailureHandler failureHandler) {
    Draft draft = new Draft(this);
    draft.failureHandler = failureHandler;
    return draft.settings();
  }

  /** Settings of which one is being changed. */
  private static final class Draft {
    private int workers;
    private int maxTasks;
    private int maxFailures;
    private int maxReleaseEvents;
    private int maxStableArrayBytes;
    private boolean unwoven;
    private long warmUpNs;
    private long stopGraceNs;
    private int maxAtomicEntries;
    private long atomicTimeoutNs;
    private TaskScheduling scheduling;
    private NanoClock clock;
    private List<ReleaseListener> listeners;
    private @Nullable TaskFailureHandler failureHandler;

    Draft(RuntimeSettings from) {
      workers = from.workers;
      maxTasks = from.maxTasks;
      maxFailures = from.maxFailures;
      maxReleaseEvents = from.maxReleaseEvents;
      maxStableArrayBytes = from.maxStableArrayBytes;
      unwoven = from.unwoven;
      warmUpNs = from.warmUpNs;
      stopGraceNs = from.stopGraceNs;
      maxAtomicEntries = from.maxAtomicEntries;
      atomicTimeoutNs = from.atomicTimeoutNs;
      scheduling = from.scheduling;
      clock = from.clock;
      listeners = from.listeners;
      failureHandler = from.failureHandler;
    }

    RuntimeSettings settings() {
      return new RuntimeSettings(
          workers,
          maxTasks,
          maxFailures,
          maxReleaseEvents,
          maxStableArrayBytes,
          unwoven,
          warmUpNs,
          stopGraceNs,
          maxAtomicEntries,
          atomicTimeoutNs,
          scheduling,
          clock,
          listeners,
          failureHandler);
    }
  }
}
