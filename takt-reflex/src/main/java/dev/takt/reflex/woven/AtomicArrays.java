package dev.takt.reflex.woven;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * The elements of arrays as an atomic call sees them. Woven code calls the static methods, with the
 * call last.
 *
 * <p>The call knows three kinds of arrays:
 *
 * <ul>
 *   <li><em>the task's</em>, which it found in a field of a stable object or in another array of
 *       the task: read and written like fields;
 *   <li><em>fresh</em> ones, made by this attempt: no other thread sees them before the call
 *       commits, so they are read and written directly;
 *   <li><em>others</em>: borrowed from the caller. What is written to them is kept aside, and
 *       stored by the calling thread when the call commits, so that an attempt that failed leaves
 *       no trace in them.
 * </ul>
 *
 * <p><b>Thread rule:</b> for the calling thread.
 */
public final class AtomicArrays {
  private final AtomicCall call;

  private static final int OTHER = 0;
  private static final int FRESH = 1;
  private static final int TASKS = 2;

  private final AtomicWriteSet kinds = new AtomicWriteSet();

  /** What this attempt has written to borrowed arrays. */
  final AtomicWriteSet borrowed = new AtomicWriteSet();

  /** The array that was asked for last. */
  private @Nullable Object lastArray;

  private int lastKind;

  AtomicArrays(AtomicCall call) {
    this.call = call;
  }

  void reset() {
    kinds.clear();
    borrowed.clear();
    lastArray = null;
  }

  private int kind(Object array) {
    if (array == lastArray) {
      return lastKind;
    }
    int place = kinds.find(array, 0);
    lastKind = place < 0 ? OTHER : (int) kinds.bits(place);
    lastArray = array;
    return lastKind;
  }

  private void setKind(Object array, int kind) {
    kinds.put(array, 0, kind, null);
    lastArray = array;
    lastKind = kind;
  }

  private boolean isFresh(Object array) {
    return kind(array) == FRESH;
  }

  private long load(Object array, int index, long memory) {
    int kind = kind(array);
    if (kind == TASKS) {
      return call.read(array, index, memory);
    }
    int place = kind == FRESH ? -1 : borrowed.find(array, index);
    return place < 0 ? memory : borrowed.bits(place);
  }

  /** Stores into an array that is not fresh. */
  private void store(Object array, int index, int length, long bits, @Nullable Object reference) {
    if (index < 0 || index >= length) {
      throw new ArrayIndexOutOfBoundsException(
          "Index " + index + " out of bounds for length " + length);
    }
    if (kind(array) == TASKS) {
      call.write(array, index, bits, reference);
    } else {
      borrowed.put(array, index, bits, reference);
    }
  }

  /** What was found in a place of the task: if it is an array, that is the task's too. */
  @Nullable Object found(@Nullable Object value) {
    if (value != null
        && value != lastArray
        && value.getClass().isArray()
        && kinds.find(value, 0) < 0) {
      setKind(value, TASKS);
    }
    return value;
  }

  /** The array was made by this attempt. */
  Object fresh(Object array) {
    setKind(array, FRESH);
    return array;
  }

  /** Reads an int from an array. */
  public static int loadInt(int[] array, int index, AtomicCall call) {
    return (int) call.arrays.load(array, index, array[index]);
  }

  /** Writes an int to an array. */
  public static void storeInt(int[] array, int index, int value, AtomicCall call) {
    call.arrays.put(array, index, value);
  }

  /** Reads a long from an array. */
  public static long loadLong(long[] array, int index, AtomicCall call) {
    return call.arrays.load(array, index, array[index]);
  }

  /** Writes a long to an array. */
  public static void storeLong(long[] array, int index, long value, AtomicCall call) {
    call.arrays.put(array, index, value);
  }

  /** Reads a float from an array. */
  public static float loadFloat(float[] array, int index, AtomicCall call) {
    return Float.intBitsToFloat(
        (int) call.arrays.load(array, index, Float.floatToRawIntBits(array[index])));
  }

  /** Writes a float to an array. */
  public static void storeFloat(float[] array, int index, float value, AtomicCall call) {
    call.arrays.put(array, index, Float.floatToRawIntBits(value));
  }

  /** Reads a double from an array. */
  public static double loadDouble(double[] array, int index, AtomicCall call) {
    return Double.longBitsToDouble(
        call.arrays.load(array, index, Double.doubleToRawLongBits(array[index])));
  }

  /** Writes a double to an array. */
  public static void storeDouble(double[] array, int index, double value, AtomicCall call) {
    call.arrays.put(array, index, Double.doubleToRawLongBits(value));
  }

  /** Reads a byte from an array. */
  public static byte loadByte(byte[] array, int index, AtomicCall call) {
    return (byte) call.arrays.load(array, index, array[index]);
  }

  /** Writes a byte to an array. */
  public static void storeByte(byte[] array, int index, byte value, AtomicCall call) {
    call.arrays.put(array, index, value);
  }

  /** Reads a short from an array. */
  public static short loadShort(short[] array, int index, AtomicCall call) {
    return (short) call.arrays.load(array, index, array[index]);
  }

  /** Writes a short to an array. */
  public static void storeShort(short[] array, int index, short value, AtomicCall call) {
    call.arrays.put(array, index, value);
  }

  /** Reads a character from an array. */
  public static char loadChar(char[] array, int index, AtomicCall call) {
    return (char) call.arrays.load(array, index, array[index]);
  }

  /** Writes a character to an array. */
  public static void storeChar(char[] array, int index, char value, AtomicCall call) {
    call.arrays.put(array, index, value);
  }

  /** Reads a boolean from an array. */
  public static boolean loadBoolean(boolean[] array, int index, AtomicCall call) {
    return call.arrays.load(array, index, array[index] ? 1 : 0) != 0;
  }

  /** Writes a boolean to an array. */
  public static void storeBoolean(boolean[] array, int index, boolean value, AtomicCall call) {
    call.arrays.put(array, index, value ? 1 : 0);
  }

  /** Reads from an array of bytes or of booleans. */
  public static int loadByteOrBoolean(Object array, int index, AtomicCall call) {
    if (array instanceof boolean[] booleans) {
      return loadBoolean(booleans, index, call) ? 1 : 0;
    }
    return loadByte((byte[]) array, index, call);
  }

  /** Writes to an array of bytes or of booleans. */
  public static void storeByteOrBoolean(Object array, int index, int value, AtomicCall call) {
    if (array instanceof boolean[] booleans) {
      storeBoolean(booleans, index, (value & 1) != 0, call);
    } else {
      storeByte((byte[]) array, index, (byte) value, call);
    }
  }

  /** Reads a reference from an array. */
  public static @Nullable Object loadRef(@Nullable Object[] array, int index, AtomicCall call) {
    Object memory = array[index];
    AtomicArrays arrays = call.arrays;
    int kind = arrays.kind(array);
    if (kind == TASKS) {
      return arrays.found(call.readReference(array, index, memory));
    }
    int place = kind == FRESH ? -1 : arrays.borrowed.find(array, index);
    return place < 0 ? memory : arrays.borrowed.reference(place);
  }

  /** Writes a reference to an array. */
  public static void storeRef(
      @Nullable Object[] array, int index, @Nullable Object value, AtomicCall call) {
    if (call.arrays.isFresh(array)) {
      array[index] = value;
      return;
    }
    // Here, where the call is to blame, and not when the task takes it over.
    if (value != null && !array.getClass().getComponentType().isInstance(value)) {
      throw new ArrayStoreException(value.getClass().getName());
    }
    call.arrays.store(array, index, array.length, 0, value);
  }

  /** Copies elements, as {@link System#arraycopy} does. */
  public static void arraycopy(
      Object from, int fromIndex, Object to, int toIndex, int length, AtomicCall call) {
    checkTypes(from.getClass(), to.getClass());
    checkRange("from", fromIndex, length, Array.getLength(from));
    checkRange("to", toIndex, length, Array.getLength(to));
    AtomicArrays arrays = call.arrays;
    if (arrays.isFresh(from) && arrays.isFresh(to)) {
      System.arraycopy(from, fromIndex, to, toIndex, length);
      return;
    }
    // By way of a copy, since the two may overlap.
    Object copy = arrays.fresh(Array.newInstance(from.getClass().getComponentType(), length));
    for (int i = 0; i < length; i++) {
      arrays.move(from, fromIndex + i, copy, i);
    }
    for (int i = 0; i < length; i++) {
      arrays.move(copy, i, to, toIndex + i);
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
          "%s: index=%s, length=%s, but the array has %s elements"
              .formatted(which, index, length, available));
    }
  }

  private void move(Object from, int fromIndex, Object to, int toIndex) {
    if (from instanceof Object[] references) {
      storeRef((Object[]) to, toIndex, loadRef(references, fromIndex, call), call);
    } else {
      put(to, toIndex, load(from, fromIndex, AtomicWriteSet.bits(from, fromIndex)));
    }
  }

  /** Writes a primitive to an array. */
  private void put(Object array, int index, long bits) {
    if (isFresh(array)) {
      AtomicWriteSet.store(array, index, bits, null);
    } else {
      store(array, index, Array.getLength(array), bits, null);
    }
  }

  /** Sets all elements, as {@link java.util.Arrays#fill(Object[], Object)} does. */
  public static void fill(Object array, @Nullable Object value, AtomicCall call) {
    fill(array, 0, Array.getLength(array), value, call);
  }

  /**
   * Sets the elements of a range, as {@link java.util.Arrays#fill(Object[], int, int, Object)}
   * does; numbers come boxed.
   */
  public static void fill(Object array, int from, int to, @Nullable Object value, AtomicCall call) {
    if (from > to) {
      throw new IllegalArgumentException("fill: from=" + from + " is past to=" + to);
    }
    checkRange("fill", from, to - from, Array.getLength(array));
    if (array instanceof Object[] references) {
      for (int i = from; i < to; i++) {
        storeRef(references, i, value, call);
      }
      return;
    }
    Object one = Array.newInstance(array.getClass().getComponentType(), 1);
    Array.set(one, 0, value);
    long bits = AtomicWriteSet.bits(one, 0);
    for (int i = from; i < to; i++) {
      call.arrays.put(array, i, bits);
    }
  }
}
