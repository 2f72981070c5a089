package dev.takt.persist;

import dev.takt.realtime.Admission;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When a {@link PersistenceTask} works, and for how long at once; immutable.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class PersistenceTaskSettings implements Cloneable {
  /** The shortest target of a pause: some 100 objects, and the end of an increment. */
  public static final long MIN_TARGET_PAUSE_NS = 20_000;

  private static final long MAX_TARGET_PAUSE_NS = 1_000_000_000;
  private static final long MAX_PERIOD_NS = 60_000_000_000L;

  /**
   * Increments of 500 us in each 5 ms, a tenth of a processor; a cycle each 10 s; the lowest
   * priority, no real-time policy; failures are logged as warnings of {@code dev.takt.persist}.
   */
  public static final PersistenceTaskSettings DEFAULTS = new PersistenceTaskSettings();

  private long targetPauseNs = 500_000;
  private long periodNs = 5_000_000;
  private long cyclePeriodNs = 10_000_000_000L;
  private int priority = 1;
  private ThreadScheduling scheduling = ThreadScheduling.OTHER;
  private @Nullable Admission admission;
  private Consumer<Throwable> failures = PersistenceTaskSettings::log;
  private boolean counters = true;

  private PersistenceTaskSettings() {}

  private static void log(Throwable failure) {
    System.getLogger("dev.takt.persist")
        .log(Level.WARNING, "the persistence task reports: " + failure, failure);
  }

  private PersistenceTaskSettings with(Consumer<PersistenceTaskSettings> change) {
    try {
      PersistenceTaskSettings copy = (PersistenceTaskSettings) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns how long an increment is to be at most, in nanoseconds. */
  public long targetPauseNs() {
    return targetPauseNs;
  }

  /** Returns the time from the begin of an increment to that of the next one, in nanoseconds. */
  public long periodNs() {
    return periodNs;
  }

  /**
   * Returns these settings with other increments.
   *
   * @param targetPauseNs how long one is to be at most, 20,000 to 1,000,000,000 ns: what the task
   *     asks the CPU manager for as its budget
   * @param periodNs the time from the begin of one to that of the next one while a cycle goes on,
   *     {@code targetPauseNs} to 60,000,000,000 ns
   * @throws IllegalArgumentException if one is out of its range
   */
  public PersistenceTaskSettings withIncrements(long targetPauseNs, long periodNs) {
    Ranges.check("targetPauseNs", targetPauseNs, MIN_TARGET_PAUSE_NS, MAX_TARGET_PAUSE_NS);
    Ranges.check("periodNs", periodNs, targetPauseNs, MAX_PERIOD_NS);
    return with(
        copy -> {
          copy.targetPauseNs = targetPauseNs;
          copy.periodNs = periodNs;
        });
  }

  /** Returns the time from the begin of a cycle to that of the next one, in ns; 0: on request. */
  public long cyclePeriodNs() {
    return cyclePeriodNs;
  }

  /**
   * Returns these settings with another time between the begins of cycles.
   *
   * @param cyclePeriodNs in nanoseconds; 0: cycles begin only when they are {@linkplain
   *     PersistenceTask#request asked for}
   * @throws IllegalArgumentException if it is negative
   */
  public PersistenceTaskSettings withCyclePeriodNs(long cyclePeriodNs) {
    Ranges.check("cyclePeriodNs", cyclePeriodNs, 0, Long.MAX_VALUE / 4);
    return with(copy -> copy.cyclePeriodNs = cyclePeriodNs);
  }

  /** Returns the priority, 1 to 100, as that of tasks. */
  public int priority() {
    return priority;
  }

  /** Returns what the thread of the increments asks the operating system for. */
  public ThreadScheduling scheduling() {
    return scheduling;
  }

  /**
   * Returns these settings with another priority and scheduling. They count where no CPU manager
   * orders threads by their deadlines.
   *
   * @param priority 1 to 100, as that of tasks
   * @param scheduling what the thread of the increments asks the operating system for
   * @throws IllegalArgumentException if the priority is out of its range
   */
  public PersistenceTaskSettings withScheduling(int priority, ThreadScheduling scheduling) {
    Ranges.check("priority", priority, 1, 100);
    Objects.requireNonNull(scheduling, "scheduling");
    return with(
        copy -> {
          copy.priority = priority;
          copy.scheduling = scheduling;
        });
  }

  /** Returns who admits the task; null: who is {@linkplain Admission#installed installed}. */
  public @Nullable Admission admission() {
    return admission;
  }

  /** Returns these settings with who admits the task; null: who is installed when it starts. */
  public PersistenceTaskSettings withAdmission(@Nullable Admission admission) {
    return with(copy -> copy.admission = admission);
  }

  /** Returns what is given why something has failed, on one of the task's threads. */
  public Consumer<Throwable> failures() {
    return failures;
  }

  /**
   * Returns these settings with who is told what has failed: a cycle, on the writer's thread, or a
   * listener that came with the admission, on the thread of the increments; so at two times at once
   * where both happen. It may close the task, and should not take long.
   *
   * @param failures any thread; what it throws is added to the failure
   */
  public PersistenceTaskSettings withFailures(Consumer<Throwable> failures) {
    return with(copy -> copy.failures = Objects.requireNonNull(failures, "failures"));
  }

  /** Returns whether {@code takt top} and the MBeans show the task. */
  public boolean counters() {
    return counters;
  }

  /** Returns these settings with counters for others to see, or without. */
  public PersistenceTaskSettings withCounters(boolean counters) {
    return with(copy -> copy.counters = counters);
  }
}
