package dev.takt.reflex;

import dev.takt.realtime.NanoClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a task runtime, and what it gets its time from.
 *
 * @param workers how many threads run the passive tasks (1 to 64)
 * @param maxTasks how many tasks can be registered; 8 bytes each for every priority in use among
 *     passive tasks
 * @param maxFailures how many releases in a row may fail before a task is stopped
 * @param maxReleaseEvents how many events a release can get from {@code event()} and {@code
 *     take(template)}; about 200 bytes each, for every thread of the runtime
 * @param maxStableArrayBytes how many bytes of primitive arrays a task's fields can hold; they are
 *     copied before each release, about 1 ns for 32 bytes
 * @param clock the clock of all releases
 * @param observer who is told about each release, or null
 */
public record RuntimeSettings(
    int workers,
    int maxTasks,
    int maxFailures,
    int maxReleaseEvents,
    int maxStableArrayBytes,
    NanoClock clock,
    @Nullable ReleaseObserver observer) {
  /** The defaults: one worker less than there are processors, 16,384 tasks. */
  public static final RuntimeSettings DEFAULTS =
      new RuntimeSettings(
          Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 64),
          16_384,
          10,
          64,
          4_096,
          NanoClock.system(),
          null);

  /** Checks each limit. */
  public RuntimeSettings {
    check("workers", workers, 1, 64);
    check("maxTasks", maxTasks, 1, RunQueue.MAX_INDEX);
    check("maxFailures", maxFailures, 1, Integer.MAX_VALUE);
    check("maxReleaseEvents", maxReleaseEvents, 1, 1 << 20);
    check("maxStableArrayBytes", maxStableArrayBytes, 0, 1 << 26);
    Objects.requireNonNull(clock, "clock");
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** Returns these settings with another number of workers. */
  public RuntimeSettings withWorkers(int workers) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another limit of tasks. */
  public RuntimeSettings withMaxTasks(int maxTasks) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another limit of failures in a row. */
  public RuntimeSettings withMaxFailures(int maxFailures) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another limit of events in one release. */
  public RuntimeSettings withMaxReleaseEvents(int maxReleaseEvents) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another limit of array bytes in a task's fields. */
  public RuntimeSettings withMaxStableArrayBytes(int maxStableArrayBytes) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another clock. */
  public RuntimeSettings withClock(NanoClock clock) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }

  /** Returns these settings with another observer, or without one. */
  public RuntimeSettings withObserver(ReleaseObserver observer) {
    return new RuntimeSettings(
        workers, maxTasks, maxFailures, maxReleaseEvents, maxStableArrayBytes, clock, observer);
  }
}
