package dev.takt.client.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Where what is in a ring's memory: see the drawing in the package page. */
final class RingLayout {
  /** The consumer's position. */
  static final long POSITION = 0;

  /** What others write lies two cache lines away, since processors fetch them in pairs. */
  static final long DATA = 128;

  static final int HEADER_BYTES = 4;

  /** Of records; a cache line, so that a record whose header is there takes few transfers. */
  static final int ALIGNMENT = 64;

  static final int MIN_CAPACITY = 1 << 10;
  static final int MAX_CAPACITY = 1 << 30;

  /** A position in the memory's own byte order: both sides run on one machine. */
  static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  /** A header, in the same. */
  static final VarHandle HEADER = ValueLayout.JAVA_INT.varHandle();

  private RingLayout() {}

  /** Returns the bytes of a ring with that capacity. */
  static long bytes(int capacityBytes) {
    return DATA + capacityBytes;
  }

  /** Returns how much of a ring a record takes. */
  static int recordBytes(int length) {
    return (HEADER_BYTES + length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns the longest record that a ring can be made for: with its header half of the ring. */
  static int longestRecord(int capacityBytes) {
    return (capacityBytes >> 1) - HEADER_BYTES;
  }

  static void check(MemorySegment memory, int maxRecordBytes) {
    check(memory.byteSize() - DATA, maxRecordBytes);
  }

  static void check(long capacity, int maxRecordBytes) {
    if (capacity < MIN_CAPACITY || capacity > MAX_CAPACITY || Long.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "a ring of "
              + capacity
              + " bytes; give it a power of two from "
              + MIN_CAPACITY
              + " to "
              + MAX_CAPACITY
              + " (its memory has "
              + DATA
              + " bytes more)");
    }
    if (maxRecordBytes < 0 || maxRecordBytes > longestRecord((int) capacity)) {
      throw new IllegalArgumentException(
          "records of up to "
              + maxRecordBytes
              + " bytes in a ring of "
              + capacity
              + ", which takes "
              + longestRecord((int) capacity)
              + " at most; give it a larger ring or shorter records");
    }
  }
}
