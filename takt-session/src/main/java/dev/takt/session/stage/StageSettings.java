package dev.takt.session.stage;

import dev.takt.realtime.internal.Ranges;
import dev.takt.space.WaitClock;
import java.time.Duration;

/**
 * The limits of a stage.
 *
 * @param name for threads, messages and counters; not empty
 * @param capacity how many items its queue holds at most: 1 to 16,777,216; 12 to 16 bytes each,
 *     allocated when the stage is opened
 * @param batch how many items its handler gets at once at most: 1 to 65,536
 * @param workers its budget of threads, or of sessions: 1 to 65,536. It never takes more processors
 *     than that
 * @param targetP90 how long 90 of 100 accepted items may take until they are handled; beyond what
 *     is possible within that, items are shed. Zero: no target, only the capacity bounds
 * @param closeTimeout how long {@link Stage#close} lets the stage handle what it has, and how long
 *     it then waits for handlers that were interrupted, but a second at least
 * @param counters whether {@code takt top} and MBeans show it
 * @param clock by which times are measured
 */
public record StageSettings(
    String name,
    int capacity,
    int batch,
    int workers,
    Duration targetP90,
    Duration closeTimeout,
    boolean counters,
    WaitClock clock) {
  /** Checks each limit. */
  public StageSettings {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name=\"" + name + "\" (expected: one that is not blank)");
    }
    Ranges.check("capacity", capacity, 1, 1 << 24);
    Ranges.check("batch", batch, 1, 1 << 16);
    Ranges.check("workers", workers, 1, 1 << 16);
    check("targetP90", targetP90);
    check("closeTimeout", closeTimeout);
  }

  private static void check(String name, Duration value) {
    if (value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(name + "=" + value + " (expected: 0 to a day)");
    }
  }

  /**
   * Returns settings with 1,024 places, one worker, items one by one, no target, 10 seconds to
   * close, counters and the machine's clock.
   */
  public static StageSettings named(String name) {
    return new StageSettings(
        name, 1_024, 1, 1, Duration.ZERO, Duration.ofSeconds(10), true, WaitClock.system());
  }

  /** Returns these settings with another capacity. */
  public StageSettings withCapacity(int capacity) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with other batches. */
  public StageSettings withBatch(int batch) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with another number of workers. */
  public StageSettings withWorkers(int workers) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with another target. */
  public StageSettings withTargetP90(Duration targetP90) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with another time to close. */
  public StageSettings withCloseTimeout(Duration closeTimeout) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with counters for others to see, or without. */
  public StageSettings withCounters(boolean counters) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }

  /** Returns these settings with another clock: that of stepped sessions, or of a test. */
  public StageSettings withClock(WaitClock clock) {
    return new StageSettings(
        name, capacity, batch, workers, targetP90, closeTimeout, counters, clock);
  }
}
