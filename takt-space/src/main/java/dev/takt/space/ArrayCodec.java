package dev.takt.space;

import java.lang.reflect.Array;

/**
 * Packs arrays of primitives into words, densely: an encoded array is its element count, then its
 * elements, as many to a word as fit, the first in the lowest bits. NaNs are made canonical, so two
 * arrays have equal content if, and only if, their words are equal.
 *
 * <p>The eight types are spelled out, because one loop over an accessor would cost a type switch
 * for each element.
 */
final class ArrayCodec {
  /** Stands for a null array inside a record. */
  static final long NULL_COUNT = -1;

  /** The types of the elements, in the order of the type codes from {@link Types#BYTES} on. */
  private static final Class<?>[] ELEMENTS = {
    byte.class,
    short.class,
    char.class,
    int.class,
    long.class,
    float.class,
    double.class,
    boolean.class
  };

  private ArrayCodec() {}

  /**
   * Returns the type code for an array of primitives, or {@link Types#WILDCARD} for any other
   * object.
   */
  static int typeOf(Object value) {
    return typeOf(value.getClass());
  }

  static int typeOf(Class<?> type) {
    Class<?> element = type.getComponentType();
    if (element == null || !element.isPrimitive()) {
      return Types.WILDCARD;
    }
    return switch (element.descriptorString().charAt(0)) {
      case 'B' -> Types.BYTES;
      case 'S' -> Types.SHORTS;
      case 'C' -> Types.CHARS;
      case 'I' -> Types.INTS;
      case 'J' -> Types.LONGS;
      case 'F' -> Types.FLOATS;
      case 'D' -> Types.DOUBLES;
      default -> Types.BOOLEANS;
    };
  }

  /** Returns how many words an array takes, its count included. */
  static long wordsFor(int type, int count) {
    int log = logElementsPerWord(type);
    return 1 + ((long) count + (1 << log) - 1 >>> log);
  }

  private static int logElementsPerWord(int type) {
    return switch (type) {
      case Types.BYTES -> 3;
      case Types.SHORTS, Types.CHARS -> 2;
      case Types.INTS, Types.FLOATS -> 1;
      case Types.LONGS, Types.DOUBLES -> 0;
      default -> 6;
    };
  }

  /** Writes an array's count and elements at {@code at}. */
  static void pack(int type, Object array, long[] words, int at) {
    words[at] = Array.getLength(array);
    int start = at + 1;
    switch (type) {
      case Types.BYTES -> pack((byte[]) array, words, start);
      case Types.SHORTS -> pack((short[]) array, words, start);
      case Types.CHARS -> pack((char[]) array, words, start);
      case Types.INTS -> pack((int[]) array, words, start);
      case Types.LONGS -> System.arraycopy(array, 0, words, start, ((long[]) array).length);
      case Types.FLOATS -> pack((float[]) array, words, start);
      case Types.DOUBLES -> pack((double[]) array, words, start);
      default -> pack((boolean[]) array, words, start);
    }
  }

  /** Returns a new array with the elements whose count is at {@code at}. */
  static Object unpack(int type, long[] words, int at) {
    Object to = Array.newInstance(ELEMENTS[type - Types.BYTES], (int) words[at]);
    unpack(type, words, at, to);
    return to;
  }

  /** Copies the elements whose count is at {@code at} to the beginning of an array of the type. */
  static void unpack(int type, long[] words, int at, Object to) {
    int count = (int) words[at];
    int start = at + 1;
    switch (type) {
      case Types.BYTES -> unpack(words, start, count, (byte[]) to);
      case Types.SHORTS -> unpack(words, start, count, (short[]) to);
      case Types.CHARS -> unpack(words, start, count, (char[]) to);
      case Types.INTS -> unpack(words, start, count, (int[]) to);
      case Types.LONGS -> System.arraycopy(words, start, to, 0, count);
      case Types.FLOATS -> unpack(words, start, count, (float[]) to);
      case Types.DOUBLES -> unpack(words, start, count, (double[]) to);
      default -> unpack(words, start, count, (boolean[]) to);
    }
  }

  private static void pack(byte[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = 0;
      for (int shift = 0; shift < 64 && i < from.length; shift += 8) {
        word |= (from[i++] & 0xFFL) << shift;
      }
      words[at] = word;
    }
  }

  private static void unpack(long[] words, int at, int count, byte[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = (byte) (words[at + (i >>> 3)] >>> ((i & 7) << 3));
    }
  }

  private static void pack(short[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = 0;
      for (int shift = 0; shift < 64 && i < from.length; shift += 16) {
        word |= (from[i++] & 0xFFFFL) << shift;
      }
      words[at] = word;
    }
  }

  private static void unpack(long[] words, int at, int count, short[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) (words[at + (i >>> 2)] >>> ((i & 3) << 4));
    }
  }

  private static void pack(char[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = 0;
      for (int shift = 0; shift < 64 && i < from.length; shift += 16) {
        word |= (long) from[i++] << shift;
      }
      words[at] = word;
    }
  }

  private static void unpack(long[] words, int at, int count, char[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = (char) (words[at + (i >>> 2)] >>> ((i & 3) << 4));
    }
  }

  private static void pack(int[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = from[i++] & 0xFFFF_FFFFL;
      words[at] = i < from.length ? word | (long) from[i++] << 32 : word;
    }
  }

  private static void unpack(long[] words, int at, int count, int[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = (int) (words[at + (i >>> 1)] >>> ((i & 1) << 5));
    }
  }

  private static void pack(float[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = Float.floatToIntBits(from[i++]) & 0xFFFF_FFFFL;
      words[at] = i < from.length ? word | (long) Float.floatToIntBits(from[i++]) << 32 : word;
    }
  }

  private static void unpack(long[] words, int at, int count, float[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.intBitsToFloat((int) (words[at + (i >>> 1)] >>> ((i & 1) << 5)));
    }
  }

  private static void pack(double[] from, long[] words, int at) {
    for (int i = 0; i < from.length; i++) {
      words[at + i] = Double.doubleToLongBits(from[i]);
    }
  }

  private static void unpack(long[] words, int at, int count, double[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = Double.longBitsToDouble(words[at + i]);
    }
  }

  private static void pack(boolean[] from, long[] words, int at) {
    for (int i = 0; i < from.length; at++) {
      long word = 0;
      for (int shift = 0; shift < 64 && i < from.length; shift++) {
        word |= (from[i++] ? 1L : 0L) << shift;
      }
      words[at] = word;
    }
  }

  private static void unpack(long[] words, int at, int count, boolean[] to) {
    for (int i = 0; i < count; i++) {
      to[i] = (words[at + (i >>> 6)] >>> (i & 63) & 1) != 0;
    }
  }
}
