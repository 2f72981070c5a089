package dev.takt.reflex.woven;

import dev.takt.reflex.limit.AtomicCallRejected;
import org.jspecify.annotations.Nullable;

/**
 * The fields of stable objects as an atomic call sees them: its own writes first, then what earlier
 * calls have committed, then memory.
 *
 * <p>Woven code reads memory itself, just before it calls a reading method with that value; the
 * method then checks that the value belongs to the snapshot of the call, see {@link AtomicGate}.
 * Booleans, bytes, shorts and characters go as integers.
 *
 * <p><b>Thread rule:</b> for the calling thread.
 */
abstract class AtomicAccess {
  private static final AtomicLog NONE = new AtomicLog();

  /** The gate of the task, set when a call begins. */
  @Nullable AtomicGate target;

  /** What stands for the value of the task that this attempt sees. */
  AtomicLog seen = NONE;

  /** What this attempt has written. */
  final AtomicCells own = new AtomicCells();

  /** Whether this attempt has learnt that it cannot commit. */
  boolean isDoomed;

  /** Why this call cannot succeed. */
  @Nullable RuntimeException rejection;

  AtomicAccess() {}

  final AtomicGate target() {
    AtomicGate target = this.target;
    if (target == null) {
      throw new IllegalStateException("no atomic call; begin() gives one to its own thread only");
    }
    return target;
  }

  /** Forgets what the last attempt has seen and written. */
  void reset() {
    seen = NONE;
    own.clear();
    isDoomed = false;
  }

  /** What was read from memory before belongs to the snapshot, or the call starts again. */
  final void check() {
    if (isDoomed || !target().isStill(seen)) {
      isDoomed = true;
      throw AtomicRetry.INSTANCE;
    }
  }

  /** Returns a primitive; see {@link AtomicCells} for the coding. */
  final long read(Object owner, int field, long memory) {
    int place = own.find(owner, field);
    if (place >= 0) {
      return own.bits(place);
    }
    AtomicCells committed = seen.cells;
    place = committed.find(owner, field);
    if (place >= 0) {
      return committed.bits(place);
    }
    check();
    return memory;
  }

  final @Nullable Object readReference(Object owner, int field, @Nullable Object memory) {
    int place = own.find(owner, field);
    if (place >= 0) {
      return own.reference(place);
    }
    AtomicCells committed = seen.cells;
    place = committed.find(owner, field);
    if (place >= 0) {
      return committed.reference(place);
    }
    check();
    return memory;
  }

  final void write(Object owner, int field, long bits, @Nullable Object reference) {
    own.put(owner, field, bits, reference);
    int limit = target().maxEntries;
    if (own.size() > limit) {
      rejection =
          new AtomicCallRejected(
              AtomicCallRejected.Reason.TOO_LARGE,
              "atomic call of task "
                  + target().memory.task()
                  + ": writes to more than maxAtomicEntries="
                  + limit
                  + " places; make it smaller, or raise RuntimeSettings.maxAtomicEntries");
      throw rejection;
    }
  }

  // ---- for woven code: fields

  /** Reads an int, short, character, byte or boolean. */
  public final int readInt(Object owner, int field, int memory) {
    return (int) read(owner, field, memory);
  }

  /** Reads a long. */
  public final long readLong(Object owner, int field, long memory) {
    return read(owner, field, memory);
  }

  /** Reads a float. */
  public final float readFloat(Object owner, int field, float memory) {
    return Float.intBitsToFloat((int) read(owner, field, Float.floatToRawIntBits(memory)));
  }

  /** Reads a double. */
  public final double readDouble(Object owner, int field, double memory) {
    return Double.longBitsToDouble(read(owner, field, Double.doubleToRawLongBits(memory)));
  }

  /** Writes an int, short, character, byte or boolean. */
  public final void writeInt(Object owner, int field, int value) {
    write(owner, field, value, null);
  }

  /** Writes a long. */
  public final void writeLong(Object owner, int field, long value) {
    write(owner, field, value, null);
  }

  /** Writes a float. */
  public final void writeFloat(Object owner, int field, float value) {
    write(owner, field, Float.floatToRawIntBits(value), null);
  }

  /** Writes a double. */
  public final void writeDouble(Object owner, int field, double value) {
    write(owner, field, Double.doubleToRawLongBits(value), null);
  }

  /** Writes a reference. */
  public final void writeRef(Object owner, int field, @Nullable Object value) {
    write(owner, field, 0, value);
  }
}
