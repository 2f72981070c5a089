package dev.takt.persist.cycle;

/**
 * How much the barrier of one task has saved in a cycle: what the next one makes room for before it
 * begins, so that in steady state nothing is allocated in the task's time.
 *
 * @param longs for primitives, 8 bytes each
 * @param references for references
 * @param entries objects and arrays
 * @param arrays arrays alone
 */
public record BarrierRoom(int longs, int references, int entries, int arrays) {
  /** What a task gets that has no cycle behind it. */
  public static final BarrierRoom FIRST = new BarrierRoom(128, 128, 16, 16);

  /** Returns the larger of each, up to a number of bytes. */
  BarrierRoom atLeast(BarrierRoom other, long maxBytes) {
    BarrierRoom larger =
        new BarrierRoom(
            Math.max(longs, other.longs),
            Math.max(references, other.references),
            Math.max(entries, other.entries),
            Math.max(arrays, other.arrays));
    return larger.sizeBytes() <= maxBytes ? larger : this;
  }

  /** Returns what a segment of the log takes that has this room. */
  long sizeBytes() {
    return SavedSegment.sizeBytes(longs, references, entries);
  }
}
