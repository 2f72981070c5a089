package dev.takt.stress.atomic;

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
      case int[] a -> call.loadInt(a, index);
      case long[] a -> call.loadLong(a, index);
      case float[] a -> call.loadFloat(a, index);
      case double[] a -> call.loadDouble(a, index);
      case byte[] a ->
          index % 2 == 0 ? call.loadByte(a, index) : (byte) call.loadByteOrBoolean(a, index);
      case short[] a -> call.loadShort(a, index);
      case char[] a -> call.loadChar(a, index);
      case boolean[] a ->
          index % 2 == 0 ? call.loadBoolean(a, index) : call.loadByteOrBoolean(a, index) != 0;
      case Object[] a -> call.loadRef(a, index);
      default -> throw new IllegalArgumentException("no array: " + array);
    };
  }

  static void store(AtomicCall call, Object array, int index, Object value) {
    switch (array) {
      case int[] a -> call.storeInt(a, index, (int) value);
      case long[] a -> call.storeLong(a, index, (long) value);
      case float[] a -> call.storeFloat(a, index, (float) value);
      case double[] a -> call.storeDouble(a, index, (double) value);
      case byte[] a -> call.storeByteOrBoolean(a, index, (byte) value);
      case short[] a -> call.storeShort(a, index, (short) value);
      case char[] a -> call.storeChar(a, index, (char) value);
      case boolean[] a -> call.storeByteOrBoolean(a, index, (boolean) value ? 1 : 0);
      case Object[] a -> call.storeRef(a, index, value);
      default -> throw new IllegalArgumentException("no array: " + array);
    }
  }

  static void fill(AtomicCall call, Object array, int from, int to, Object value) {
    switch (array) {
      case int[] a -> call.fill(a, from, to, (int) value);
      case long[] a -> call.fill(a, from, to, (long) value);
      case float[] a -> call.fill(a, from, to, (float) value);
      case double[] a -> call.fill(a, from, to, (double) value);
      case byte[] a -> call.fill(a, from, to, (byte) value);
      case short[] a -> call.fill(a, from, to, (short) value);
      case char[] a -> call.fill(a, from, to, (char) value);
      case boolean[] a -> call.fill(a, from, to, (boolean) value);
      case Object[] a -> call.fill(a, from, to, value);
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
