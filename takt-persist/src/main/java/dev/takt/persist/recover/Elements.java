package dev.takt.persist.recover;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Elements of arrays of primitives, little-endian, at any place in memory. */
final class Elements {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Elements() {}

  /** Copies elements into an array, from a place on. */
  static void copy(MemorySegment from, Object array, int at, int count) {
    switch (array) {
      case byte[] a -> MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, a, at, count);
      case short[] a -> MemorySegment.copy(from, SHORT, 0, a, at, count);
      case char[] a -> MemorySegment.copy(from, CHAR, 0, a, at, count);
      case int[] a -> MemorySegment.copy(from, INT, 0, a, at, count);
      case long[] a -> MemorySegment.copy(from, LONG, 0, a, at, count);
      case float[] a -> MemorySegment.copy(from, FLOAT, 0, a, at, count);
      case double[] a -> MemorySegment.copy(from, DOUBLE, 0, a, at, count);
      default -> {
        boolean[] a = (boolean[]) array;
        for (int i = 0; i < count; i++) {
          a[at + i] = from.get(ValueLayout.JAVA_BYTE, i) != 0;
        }
      }
    }
  }
}
