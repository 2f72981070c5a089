package dev.takt.persist.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Elements of arrays of primitives as they lie in a file: little-endian, at any place. */
public final class Elements {
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

  /** Copies elements out of an array, from an element on, to a place in memory. */
  public static void copy(Object array, int from, MemorySegment to, long offset, int count) {
    switch (array) {
      case byte[] a -> MemorySegment.copy(a, from, to, ValueLayout.JAVA_BYTE, offset, count);
      case short[] a -> MemorySegment.copy(a, from, to, SHORT, offset, count);
      case char[] a -> MemorySegment.copy(a, from, to, CHAR, offset, count);
      case int[] a -> MemorySegment.copy(a, from, to, INT, offset, count);
      case long[] a -> MemorySegment.copy(a, from, to, LONG, offset, count);
      case float[] a -> MemorySegment.copy(a, from, to, FLOAT, offset, count);
      case double[] a -> MemorySegment.copy(a, from, to, DOUBLE, offset, count);
      default -> {
        boolean[] a = (boolean[]) array;
        for (int i = 0; i < count; i++) {
          to.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (a[from + i] ? 1 : 0));
        }
      }
    }
  }

  /** Copies elements into an array, from an element on. */
  public static void copy(MemorySegment from, long offset, Object array, int at, int count) {
    switch (array) {
      case byte[] a -> MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, a, at, count);
      case short[] a -> MemorySegment.copy(from, SHORT, offset, a, at, count);
      case char[] a -> MemorySegment.copy(from, CHAR, offset, a, at, count);
      case int[] a -> MemorySegment.copy(from, INT, offset, a, at, count);
      case long[] a -> MemorySegment.copy(from, LONG, offset, a, at, count);
      case float[] a -> MemorySegment.copy(from, FLOAT, offset, a, at, count);
      case double[] a -> MemorySegment.copy(from, DOUBLE, offset, a, at, count);
      default -> {
        boolean[] a = (boolean[]) array;
        for (int i = 0; i < count; i++) {
          a[at + i] = from.get(ValueLayout.JAVA_BYTE, offset + i) != 0;
        }
      }
    }
  }
}
