package dev.takt.stress.atomic;

import dev.takt.reflex.woven.AtomicArrays;
import dev.takt.reflex.woven.AtomicCall;
import java.lang.reflect.Array;
import java.util.SplittableRandom;

/** The operations on arrays, by a call and on plain Java arrays. */
final class ArrayOps {
  /** The types of arrays there are. */
  static final Class<?>[] TYPES = {
    int.class,
    long.class,
    float.class,
    double.class,
    byte.class,
    short.class,
    char.class,
    boolean.class,
    Object.class,
    String.class
  };

  private ArrayOps() {}

  static Object value(Class<?> type, SplittableRandom random) {
    long bits = random.nextLong();
    return switch (type.getName()) {
      case "int" -> (int) bits;
      case "long" -> bits;
      case "float" -> (float) random.nextInt(100);
      case "double" -> random.nextDouble();
      case "byte" -> (byte) bits;
      case "short" -> (short) bits;
      case "char" -> (char) bits;
      case "boolean" -> bits > 0;
      case "java.lang.String" -> bits % 5 == 0 ? null : "s" + bits % 100;
      default -> bits % 3 == 0 ? Integer.valueOf(7) : bits % 3 == 1 ? "o" + bits % 100 : null;
    };
  }

  static Object load(AtomicCall call, Object array, int index) {
    return switch (array) {
      case int[] a -> AtomicArrays.loadInt(a, index, call);
      case long[] a -> AtomicArrays.loadLong(a, index, call);
      case float[] a -> AtomicArrays.loadFloat(a, index, call);
      case double[] a -> AtomicArrays.loadDouble(a, index, call);
      case byte[] a ->
          index % 2 == 0
              ? AtomicArrays.loadByte(a, index, call)
              : (byte) AtomicArrays.loadByteOrBoolean(a, index, call);
      case short[] a -> AtomicArrays.loadShort(a, index, call);
      case char[] a -> AtomicArrays.loadChar(a, index, call);
      case boolean[] a ->
          index % 2 == 0
              ? AtomicArrays.loadBoolean(a, index, call)
              : AtomicArrays.loadByteOrBoolean(a, index, call) != 0;
      case Object[] a -> AtomicArrays.loadRef(a, index, call);
      default -> throw new IllegalArgumentException("no array: " + array);
    };
  }

  static void store(AtomicCall call, Object array, int index, Object value) {
    switch (array) {
      case int[] a -> AtomicArrays.storeInt(a, index, (int) value, call);
      case long[] a -> AtomicArrays.storeLong(a, index, (long) value, call);
      case float[] a -> AtomicArrays.storeFloat(a, index, (float) value, call);
      case double[] a -> AtomicArrays.storeDouble(a, index, (double) value, call);
      case byte[] a -> AtomicArrays.storeByteOrBoolean(a, index, (byte) value, call);
      case short[] a -> AtomicArrays.storeShort(a, index, (short) value, call);
      case char[] a -> AtomicArrays.storeChar(a, index, (char) value, call);
      case boolean[] a -> AtomicArrays.storeByteOrBoolean(a, index, (boolean) value ? 1 : 0, call);
      case Object[] a -> AtomicArrays.storeRef(a, index, value, call);
      default -> throw new IllegalArgumentException("no array: " + array);
    }
  }

  static void fill(AtomicCall call, Object array, int from, int to, Object value) {
    switch (array) {
      case int[] a -> AtomicArrays.fill(a, from, to, (int) value, call);
      case long[] a -> AtomicArrays.fill(a, from, to, (long) value, call);
      case float[] a -> AtomicArrays.fill(a, from, to, (float) value, call);
      case double[] a -> AtomicArrays.fill(a, from, to, (double) value, call);
      case byte[] a -> AtomicArrays.fill(a, from, to, (byte) value, call);
      case short[] a -> AtomicArrays.fill(a, from, to, (short) value, call);
      case char[] a -> AtomicArrays.fill(a, from, to, (char) value, call);
      case boolean[] a -> AtomicArrays.fill(a, from, to, (boolean) value, call);
      case Object[] a -> AtomicArrays.fill(a, from, to, value, call);
      default -> throw new IllegalArgumentException("no array: " + array);
    }
  }

  static void fillPlain(Object array, int from, int to, Object value) {
    if (from > to) {
      throw new IllegalArgumentException("from " + from + " to " + to);
    }
    if (from < 0 || to > Array.getLength(array)) {
      throw new ArrayIndexOutOfBoundsException("from " + from + " to " + to);
    }
    for (int i = from; i < to; i++) {
      storePlain(array, i, value);
    }
  }

  static void storePlain(Object array, int index, Object value) {
    if (array instanceof Object[] references) {
      references[index] = value;
    } else {
      Array.set(array, index, value);
    }
  }

  static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  static String text(Object array) {
    StringBuilder out = new StringBuilder(array.getClass().getSimpleName());
    for (int i = 0; i < Array.getLength(array); i++) {
      out.append(' ').append(Array.get(array, i));
    }
    return out.toString();
  }
}
