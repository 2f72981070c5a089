package dev.takt.reflex.woven;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What {@link System#arraycopy} and {@link Arrays#fill(int[], int)} are in an atomic call.
 *
 * <p><b>Thread rule:</b> for the calling thread.
 */
abstract class AtomicRanges extends AtomicArrays {
  AtomicRanges() {}

  /** Copies elements, as {@link System#arraycopy} does. */
  public final void arraycopy(Object from, int fromIndex, Object to, int toIndex, int length) {
    checkTypes(from.getClass(), to.getClass());
    checkRange("from", fromIndex, length, Array.getLength(from));
    checkRange("to", toIndex, length, Array.getLength(to));
    if (isFresh(from) && isFresh(to)) {
      System.arraycopy(from, fromIndex, to, toIndex, length);
      return;
    }
    // By way of a copy, since the two may overlap.
    Object copy = fresh(Array.newInstance(from.getClass().getComponentType(), length));
    for (int i = 0; i < length; i++) {
      move(from, fromIndex + i, copy, i);
    }
    for (int i = 0; i < length; i++) {
      move(copy, i, to, toIndex + i);
    }
  }

  private static void checkTypes(Class<?> from, Class<?> to) {
    boolean fit =
        from == to
            ? from.isArray()
            : Object[].class.isAssignableFrom(from) && Object[].class.isAssignableFrom(to);
    if (!fit) {
      throw new ArrayStoreException(
          "arraycopy: cannot copy " + from.getTypeName() + " into " + to.getTypeName());
    }
  }

  private static void checkRange(String which, int index, int length, int available) {
    if (index < 0 || length < 0 || length > available - index) {
      throw new ArrayIndexOutOfBoundsException(
          "arraycopy: "
              + which
              + " index="
              + index
              + ", length="
              + length
              + ", but the array has "
              + available
              + " elements");
    }
  }

  private void move(Object from, int fromIndex, Object to, int toIndex) {
    switch (from) {
      case byte[] bytes -> storeByte((byte[]) to, toIndex, loadByte(bytes, fromIndex));
      case int[] ints -> storeInt((int[]) to, toIndex, loadInt(ints, fromIndex));
      case long[] longs -> storeLong((long[]) to, toIndex, loadLong(longs, fromIndex));
      case float[] floats -> storeFloat((float[]) to, toIndex, loadFloat(floats, fromIndex));
      case double[] doubles -> storeDouble((double[]) to, toIndex, loadDouble(doubles, fromIndex));
      case short[] shorts -> storeShort((short[]) to, toIndex, loadShort(shorts, fromIndex));
      case char[] chars -> storeChar((char[]) to, toIndex, loadChar(chars, fromIndex));
      case boolean[] booleans ->
          storeBoolean((boolean[]) to, toIndex, loadBoolean(booleans, fromIndex));
      case Object[] objects -> storeRef((Object[]) to, toIndex, loadRef(objects, fromIndex));
      default -> throw new ArrayStoreException(from.getClass().getTypeName());
    }
  }

  /** Returns whether a range is to be filled directly. */
  private boolean isDirect(Object array, int length, int from, int to) {
    if (from > to) {
      throw new IllegalArgumentException("fill: from=" + from + " is past to=" + to);
    }
    if (from < 0 || to > length) {
      throw new ArrayIndexOutOfBoundsException(
          "fill: from=" + from + ", to=" + to + ", but the array has " + length + " elements");
    }
    return isFresh(array);
  }

  /** Sets all elements. */
  public final void fill(int[] array, int value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(int[] array, int from, int to, int value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeInt(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(long[] array, long value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(long[] array, int from, int to, long value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeLong(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(float[] array, float value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(float[] array, int from, int to, float value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeFloat(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(double[] array, double value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(double[] array, int from, int to, double value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeDouble(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(byte[] array, byte value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(byte[] array, int from, int to, byte value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeByte(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(short[] array, short value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(short[] array, int from, int to, short value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeShort(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(char[] array, char value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(char[] array, int from, int to, char value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeChar(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(boolean[] array, boolean value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(boolean[] array, int from, int to, boolean value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeBoolean(array, i, value);
    }
  }

  /** Sets all elements. */
  public final void fill(@Nullable Object[] array, @Nullable Object value) {
    fill(array, 0, array.length, value);
  }

  /** Sets the elements of a range. */
  public final void fill(@Nullable Object[] array, int from, int to, @Nullable Object value) {
    if (isDirect(array, array.length, from, to)) {
      Arrays.fill(array, from, to, value);
      return;
    }
    for (int i = from; i < to; i++) {
      storeRef(array, i, value);
    }
  }
}
