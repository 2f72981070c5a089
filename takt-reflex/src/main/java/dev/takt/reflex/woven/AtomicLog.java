package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * What atomic calls have committed and the task has not taken over yet. Each is a new object, and
 * so stands for one state of the task: while it is in the gate, nothing has happened.
 *
 * <p><b>Thread rule:</b> never changes; any thread reads.
 */
final class AtomicLog {
  private static final AtomicWriteSet NOTHING = new AtomicWriteSet();

  /** What was written where. */
  final AtomicWriteSet cells;

  /** The size of the stable objects that the calls made, in bytes. */
  final long madeBytes;

  /** Makes an empty one. */
  AtomicLog() {
    this(NOTHING, 0);
  }

  private AtomicLog(AtomicWriteSet cells, long madeBytes) {
    this.cells = cells;
    this.madeBytes = madeBytes;
  }

  /** Returns this log merged with another call's writes; null if it would be too long. */
  @Nullable AtomicLog with(AtomicWriteSet writes, long moreBytes, int maxEntries) {
    AtomicWriteSet merged = cells.with(writes, maxEntries);
    return merged == null ? null : new AtomicLog(merged, madeBytes + moreBytes);
  }
}
