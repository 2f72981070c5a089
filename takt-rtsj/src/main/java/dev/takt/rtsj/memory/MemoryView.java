package dev.takt.rtsj.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A window on memory of an area: what an allocation without garbage fills in.
 *
 * <p><b>Purpose.</b> A {@link MemorySegment} is an object of its own for each allocation. A view is
 * made once and shows one allocation after the other, so that a time-critical path makes nothing on
 * the heap; and it knows the epoch of the scope it was filled in.
 *
 * <p><b>Guarantees.</b> (1) Each access is checked against the bounds of the allocation. (2) Each
 * access is checked against the epoch of the scope: after the last thread has left, it throws
 * {@link IllegalReferenceException}, also when the area has been entered again. (3) Values may lie
 * at any offset, aligned or not, in the machine's byte order.
 *
 * <p><b>Limits.</b> The check is made before the access, not with it: a thread that uses a view
 * without having entered the scope, while the last thread leaves it, may still read or write what
 * is then another one's memory of the same area. It never touches memory of something else: not
 * even a closed area, whose access throws {@link IllegalStateException} at the latest.
 *
 * <p><b>Thread rule.</b> One thread at a time; {@link #show(MemoryView)} gives another thread a
 * view of the same memory. The memory itself is plain memory: order accesses by other means.
 *
 * <p><b>Memory.</b> 48 bytes, once.
 *
 * {@snippet :
 * MemoryView order = new MemoryView(); // once
 * Runnable release =
 *     () -> {
 *       MemoryArea.current().allocate(order, 16, 8);
 *       order.putLong(0, 4711);
 *     };
 * scratch.enter(release); // each time, without garbage
 * }
 */
public final class MemoryView {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private @Nullable MemoryArea area;
  private @Nullable ScopeState state;
  private int epoch;
  private MemorySegment block = NOTHING;
  private long offset;
  private long sizeBytes;

  /** Makes a view that shows nothing yet. */
  public MemoryView() {}

  void show(MemoryArea area, int epoch, MemorySegment block, long offset, long sizeBytes) {
    this.area = area;
    this.state = area.state();
    this.epoch = epoch;
    this.block = block;
    this.offset = offset;
    this.sizeBytes = sizeBytes;
  }

  /** Shows what another view shows now. */
  public void show(MemoryView other) {
    area = other.area;
    state = other.state;
    epoch = other.epoch;
    block = other.block;
    offset = other.offset;
    sizeBytes = other.sizeBytes;
  }

  /** Shows nothing any more. */
  public void clear() {
    area = null;
    state = null;
    block = NOTHING;
    offset = 0;
    sizeBytes = 0;
  }

  /** Returns the area of the memory, which may have ended its epoch; null: it shows nothing. */
  public @Nullable MemoryArea area() {
    return area;
  }

  /** Returns the size of the allocation, in bytes; 0 if it shows nothing. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns whether the memory may be used: it shows some, and the scope's epoch has not ended. */
  public boolean isLive() {
    ScopeState seen = state;
    return seen != null && seen.epoch() == epoch;
  }

  /** Returns the byte at an offset, in bytes from the allocation's beginning. */
  public byte getByte(long at) {
    return block.get(ValueLayout.JAVA_BYTE, check(at, Byte.BYTES));
  }

  /** Sets the byte at an offset. */
  public void putByte(long at, byte value) {
    block.set(ValueLayout.JAVA_BYTE, check(at, Byte.BYTES), value);
  }

  /** Returns the two bytes at an offset. */
  public short getShort(long at) {
    return block.get(ValueLayout.JAVA_SHORT_UNALIGNED, check(at, Short.BYTES));
  }

  /** Sets the two bytes at an offset. */
  public void putShort(long at, short value) {
    block.set(ValueLayout.JAVA_SHORT_UNALIGNED, check(at, Short.BYTES), value);
  }

  /** Returns the four bytes at an offset. */
  public int getInt(long at) {
    return block.get(ValueLayout.JAVA_INT_UNALIGNED, check(at, Integer.BYTES));
  }

  /** Sets the four bytes at an offset. */
  public void putInt(long at, int value) {
    block.set(ValueLayout.JAVA_INT_UNALIGNED, check(at, Integer.BYTES), value);
  }

  /** Returns the eight bytes at an offset. */
  public long getLong(long at) {
    return block.get(ValueLayout.JAVA_LONG_UNALIGNED, check(at, Long.BYTES));
  }

  /** Sets the eight bytes at an offset. */
  public void putLong(long at, long value) {
    block.set(ValueLayout.JAVA_LONG_UNALIGNED, check(at, Long.BYTES), value);
  }

  /** Returns the float at an offset. */
  public float getFloat(long at) {
    return block.get(ValueLayout.JAVA_FLOAT_UNALIGNED, check(at, Float.BYTES));
  }

  /** Sets the float at an offset. */
  public void putFloat(long at, float value) {
    block.set(ValueLayout.JAVA_FLOAT_UNALIGNED, check(at, Float.BYTES), value);
  }

  /** Returns the double at an offset. */
  public double getDouble(long at) {
    return block.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, check(at, Double.BYTES));
  }

  /** Sets the double at an offset. */
  public void putDouble(long at, double value) {
    block.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, check(at, Double.BYTES), value);
  }

  /**
   * Copies from a segment.
   *
   * @param at where to, in bytes from the allocation's beginning
   * @param from where from
   * @param fromOffset where there, in bytes
   * @param bytes how many
   */
  public void copyFrom(long at, MemorySegment from, long fromOffset, long bytes) {
    MemorySegment.copy(from, fromOffset, block, check(at, bytes), bytes);
  }

  /**
   * Copies to a segment.
   *
   * @param at where from, in bytes from the allocation's beginning
   * @param to where to
   * @param toOffset where there, in bytes
   * @param bytes how many
   */
  public void copyTo(long at, MemorySegment to, long toOffset, long bytes) {
    MemorySegment.copy(block, check(at, bytes), to, toOffset, bytes);
  }

  int epoch() {
    return epoch;
  }

  /** Returns a segment of what it shows, without its check of the epoch. */
  MemorySegment segment() {
    return block.asSlice(offset, sizeBytes);
  }

  /** Returns the place in the block. */
  private long check(long at, long bytes) {
    ScopeState seen = state;
    if (seen == null || seen.epoch() != epoch) {
      throw refusal();
    }
    Objects.checkFromIndexSize(at, bytes, sizeBytes);
    return offset + at;
  }

  private RuntimeException refusal() {
    MemoryArea ended = area;
    return ended == null
        ? new IllegalStateException("the view shows no memory; allocate into it first")
        : new IllegalReferenceException(
            ("view of %s bytes of area %s is from its epoch %s, which ended when the last "
                    + "thread left it; allocate again after entering, or in an area that lives "
                    + "longer")
                .formatted(sizeBytes, ended.name(), epoch));
  }

  @Override
  public String toString() {
    MemoryArea shown = area;
    return shown == null
        ? "view of nothing"
        : "view of " + sizeBytes + " bytes of area " + shown.name() + (isLive() ? "" : ", ended");
  }
}
