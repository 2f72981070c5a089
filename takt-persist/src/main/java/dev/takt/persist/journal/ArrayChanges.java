package dev.takt.persist.journal;

import java.util.Arrays;

/** Where an array differs from what it held before; references are compared by identity. */
final class ArrayChanges {
  /** How many elements are compared at once from the end. */
  private static final int BLOCK = 64;

  private ArrayChanges() {}

  /** Returns the first element that differs; the length if none does. */
  static int first(Object array, Object before) {
    int length = length(array);
    int at = mismatch(array, before, 0, length);
    return at < 0 ? length : at;
  }

  /** Returns the last element that differs; one does. */
  static int last(Object array, Object before) {
    int end = length(array);
    while (end > BLOCK && mismatch(array, before, end - BLOCK, end) < 0) {
      end -= BLOCK;
    }
    do {
      end--;
    } while (mismatch(array, before, end, end + 1) < 0);
    return end;
  }

  private static int length(Object array) {
    return java.lang.reflect.Array.getLength(array);
  }

  private static int mismatch(Object array, Object before, int from, int to) {
    int at =
        switch (array) {
          case long[] a -> Arrays.mismatch(a, from, to, (long[]) before, from, to);
          case int[] a -> Arrays.mismatch(a, from, to, (int[]) before, from, to);
          case byte[] a -> Arrays.mismatch(a, from, to, (byte[]) before, from, to);
          case short[] a -> Arrays.mismatch(a, from, to, (short[]) before, from, to);
          case char[] a -> Arrays.mismatch(a, from, to, (char[]) before, from, to);
          case boolean[] a -> Arrays.mismatch(a, from, to, (boolean[]) before, from, to);
          case double[] a -> bits(a, (double[]) before, from, to);
          case float[] a -> bits(a, (float[]) before, from, to);
          default -> same((Object[]) array, (Object[]) before, from, to);
        };
    return at < 0 ? -1 : from + at;
  }

  /** Two kinds of NaN, and two zeros, are not the same. */
  private static int bits(double[] array, double[] before, int from, int to) {
    for (int i = from; i < to; i++) {
      if (Double.doubleToRawLongBits(array[i]) != Double.doubleToRawLongBits(before[i])) {
        return i - from;
      }
    }
    return -1;
  }

  private static int bits(float[] array, float[] before, int from, int to) {
    for (int i = from; i < to; i++) {
      if (Float.floatToRawIntBits(array[i]) != Float.floatToRawIntBits(before[i])) {
        return i - from;
      }
    }
    return -1;
  }

  private static int same(Object[] array, Object[] before, int from, int to) {
    for (int i = from; i < to; i++) {
      if (array[i] != before[i]) {
        return i - from;
      }
    }
    return -1;
  }
}
