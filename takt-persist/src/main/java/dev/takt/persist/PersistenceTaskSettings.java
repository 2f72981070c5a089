package dev.takt.persist;

import dev.takt.realtime.Admission;
import dev.takt.realtime.internal.Ranges;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When a {@link PersistenceTask} works, and for how long at once.
 *
 * @param targetPauseNs how long an increment is to be at most, 20,000 to 1,000,000,000 ns: what the
 *     task asks the CPU manager for as its budget
 * @param periodNs the time from the begin of an increment to that of the next one while a cycle
 *     goes on, {@code targetPauseNs} to 60,000,000,000 ns
 * @param cyclePeriodNs the time from the begin of a cycle to that of the next one, in ns; 0: cycles
 *     begin only when they are {@linkplain PersistenceTask#request asked for}
 * @param priority the priority, 1 to 100, as that of tasks; it counts where no CPU manager orders
 *     threads by their deadlines
 * @param scheduling what the thread of the increments asks the operating system for, unless its
 *     admission gives it another scheduling
 * @param admission who admits the task; null: the one that is {@linkplain Admission#installed
 *     installed} when it starts
 * @param failures is given why a cycle has failed, on the writer's thread
 * @param counters whether {@code takt top} and the MBeans show the task
 */
public record PersistenceTaskSettings(
    long targetPauseNs,
    long periodNs,
    long cyclePeriodNs,
    int priority,
    ThreadScheduling scheduling,
    @Nullable Admission admission,
    Consumer<Throwable> failures,
    boolean counters) {
  /** The shortest target of a pause: some 100 objects, and the end of an increment. */
  public static final long MIN_TARGET_PAUSE_NS = 20_000;

  private static final long MAX_TARGET_PAUSE_NS = 1_000_000_000;
  private static final long MAX_PERIOD_NS = 60_000_000_000L;

  /**
   * Increments of 500 us in each 5 ms, a tenth of a processor; a cycle each 10 s; the lowest
   * priority, no real-time policy; failures are logged as warnings of {@code dev.takt.persist}.
   */
  public static final PersistenceTaskSettings DEFAULTS =
      new PersistenceTaskSettings(
          500_000,
          5_000_000,
          10_000_000_000L,
          1,
          ThreadScheduling.OTHER,
          null,
          PersistenceTaskSettings::log,
          true);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public PersistenceTaskSettings {
    Objects.requireNonNull(scheduling, "scheduling");
    Objects.requireNonNull(failures, "failures");
    Ranges.check("targetPauseNs", targetPauseNs, MIN_TARGET_PAUSE_NS, MAX_TARGET_PAUSE_NS);
    Ranges.check("periodNs", periodNs, targetPauseNs, MAX_PERIOD_NS);
    Ranges.check("cyclePeriodNs", cyclePeriodNs, 0, Long.MAX_VALUE / 4);
    Ranges.check("priority", priority, 1, 100);
  }

  private static void log(Throwable failure) {
    System.getLogger("dev.takt.persist")
        .log(Level.WARNING, "a persistence cycle has failed: " + failure, failure);
  }

  /** Returns these settings with other increments. */
  public PersistenceTaskSettings withIncrements(long targetPauseNs, long periodNs) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }

  /** Returns these settings with another time between the begins of cycles. */
  public PersistenceTaskSettings withCyclePeriodNs(long cyclePeriodNs) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }

  /** Returns these settings with another priority and scheduling. */
  public PersistenceTaskSettings withScheduling(int priority, ThreadScheduling scheduling) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }

  /** Returns these settings with who admits the task; null: who is installed. */
  public PersistenceTaskSettings withAdmission(@Nullable Admission admission) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }

  /** Returns these settings with who is told of failures. */
  public PersistenceTaskSettings withFailures(Consumer<Throwable> failures) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }

  /** Returns these settings with counters for others to see, or without. */
  public PersistenceTaskSettings withCounters(boolean counters) {
    return new PersistenceTaskSettings(
        targetPauseNs,
        periodNs,
        cyclePeriodNs,
        priority,
        scheduling,
        admission,
        failures,
        counters);
  }
}
