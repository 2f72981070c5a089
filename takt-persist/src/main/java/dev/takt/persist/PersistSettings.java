package dev.takt.persist;

import dev.takt.persist.format.Format;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Ranges;
import java.util.Objects;

/**
 * The limits of persistence.
 *
 * @param scheme how the barrier tells what it need not save
 * @param blockBytes the payload of a block, 8,192 to 16,777,215 bytes; two buffers of that size are
 *     held during a cycle
 * @param generations how many full snapshots are kept, 1 to 1,000, and with them the incremental
 *     ones that came after
 * @param fullEvery 1: each cycle is full; up to 1,000: at least every so-many-th is, and those
 *     between write only what has changed. Then each task is shown to a sink between cycles, too (a
 *     list entry for each object that changes, once between two cycles), and the table of objects
 *     is kept: 4 bytes for each stable one, 20 to 36 for others
 * @param maxObjects how many objects one root may lead to, at most 2,147,483,631; during a cycle a
 *     stable one takes 4 bytes of memory, unless another {@code Persistence} has a cycle, too;
 *     others take 20 to 36
 * @param maxSavedBytes how much memory the barrier of one task may take for what it saves in a
 *     cycle; beyond that the cycle fails, and the task goes on
 * @param clock what increments are measured by
 */
public record PersistSettings(
    Scheme scheme,
    int blockBytes,
    int generations,
    int fullEvery,
    int maxObjects,
    long maxSavedBytes,
    NanoClock clock) {
  /**
   * Annotating, blocks of 64 KiB, three generations, all full, 100 million objects, 64 MiB of
   * copies.
   */
  public static final PersistSettings DEFAULTS =
      new PersistSettings(
          Scheme.ANNOTATING, 65_536, 3, 1, 100_000_000, 64L << 20, NanoClock.system());

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public PersistSettings {
    Objects.requireNonNull(scheme, "scheme");
    Objects.requireNonNull(clock, "clock");
    Ranges.check("blockBytes", blockBytes, Format.MIN_BLOCK_BYTES, Format.MAX_BLOCK_BYTES);
    Ranges.check("generations", generations, 1, 1_000);
    Ranges.check("fullEvery", fullEvery, 1, 1_000);
    Ranges.check("maxObjects", maxObjects, 1, Integer.MAX_VALUE - 16);
    Ranges.check("maxSavedBytes", maxSavedBytes, 65_536, 1L << 40);
  }

  /** Returns these settings with another scheme. */
  public PersistSettings withScheme(Scheme scheme) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with other blocks. */
  public PersistSettings withBlockBytes(int blockBytes) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with another number of snapshots kept. */
  public PersistSettings withGenerations(int generations) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with a full cycle every so often, and incremental ones between. */
  public PersistSettings withFullEvery(int fullEvery) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with another limit of objects. */
  public PersistSettings withMaxObjects(int maxObjects) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with another limit of memory for the barrier of a task. */
  public PersistSettings withMaxSavedBytes(long maxSavedBytes) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }

  /** Returns these settings with another clock. */
  public PersistSettings withClock(NanoClock clock) {
    return new PersistSettings(
        scheme, blockBytes, generations, fullEvery, maxObjects, maxSavedBytes, clock);
  }
}
