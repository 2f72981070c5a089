package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * The elements of arrays as an atomic call sees them.
 *
 * <p>The call knows three kinds of arrays:
 *
 * <ul>
 *   <li><em>the task's</em>, which it found in a field of a stable object or in another array of
 *       the task: read and written like fields;
 *   <li><em>fresh</em> ones, made by this attempt: nobody else sees them before the call commits,
 *       so they are read and written directly;
 *   <li><em>others</em>: borrowed from the caller. What is written to them is kept aside, and
 *       stored by the calling thread when the call commits, so that an attempt that failed leaves
 *       no trace in them.
 * </ul>
 *
 * <p><b>Thread rule:</b> for the calling thread.
 */
abstract class AtomicArrays extends AtomicAccess {
  private static final int OTHER = 0;
  private static final int FRESH = 1;
  private static final int TASKS = 2;

  private final AtomicCells kinds = new AtomicCells();

  /** What this attempt has written to borrowed arrays. */
  final AtomicCells borrowed = new AtomicCells();

  /** The array that was asked for last. */
  private @Nullable Object lastArray;

  private int lastKind;

  AtomicArrays() {}

  @Override
  void reset() {
    super.reset();
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

  final boolean isFresh(Object array) {
    return kind(array) == FRESH;
  }

  private long load(Object array, int index, long memory) {
    int kind = kind(array);
    if (kind == TASKS) {
      return read(array, index, memory);
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
      write(array, index, bits, reference);
    } else {
      borrowed.put(array, index, bits, reference);
    }
  }

  /** What was found in a place of the task: if it is an array, that is the task's too. */
  final @Nullable Object found(@Nullable Object value) {
    if (value != null
        && value != lastArray
        && value.getClass().isArray()
        && kinds.find(value, 0) < 0) {
      setKind(value, TASKS);
    }
    return value;
  }

  // ---- for woven code

  /** Reads a reference. */
  public final @Nullable Object readRef(Object owner, int field, @Nullable Object memory) {
    return found(readReference(owner, field, memory));
  }

  /** The array was made by this attempt. */
  public final Object fresh(Object array) {
    setKind(array, FRESH);
    return array;
  }

  /** Reads an int from an array. */
  public final int loadInt(int[] array, int index) {
    return (int) load(array, index, array[index]);
  }

  /** Writes an int to an array. */
  public final void storeInt(int[] array, int index, int value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value, null);
    }
  }

  /** Reads a long from an array. */
  public final long loadLong(long[] array, int index) {
    return load(array, index, array[index]);
  }

  /** Writes a long to an array. */
  public final void storeLong(long[] array, int index, long value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value, null);
    }
  }

  /** Reads a float from an array. */
  public final float loadFloat(float[] array, int index) {
    return Float.intBitsToFloat((int) load(array, index, Float.floatToRawIntBits(array[index])));
  }

  /** Writes a float to an array. */
  public final void storeFloat(float[] array, int index, float value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, Float.floatToRawIntBits(value), null);
    }
  }

  /** Reads a double from an array. */
  public final double loadDouble(double[] array, int index) {
    return Double.longBitsToDouble(load(array, index, Double.doubleToRawLongBits(array[index])));
  }

  /** Writes a double to an array. */
  public final void storeDouble(double[] array, int index, double value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, Double.doubleToRawLongBits(value), null);
    }
  }

  /** Reads a byte from an array. */
  public final byte loadByte(byte[] array, int index) {
    return (byte) load(array, index, array[index]);
  }

  /** Writes a byte to an array. */
  public final void storeByte(byte[] array, int index, byte value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value, null);
    }
  }

  /** Reads a short from an array. */
  public final short loadShort(short[] array, int index) {
    return (short) load(array, index, array[index]);
  }

  /** Writes a short to an array. */
  public final void storeShort(short[] array, int index, short value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value, null);
    }
  }

  /** Reads a character from an array. */
  public final char loadChar(char[] array, int index) {
    return (char) load(array, index, array[index]);
  }

  /** Writes a character to an array. */
  public final void storeChar(char[] array, int index, char value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value, null);
    }
  }

  /** Reads a boolean from an array. */
  public final boolean loadBoolean(boolean[] array, int index) {
    return load(array, index, array[index] ? 1 : 0) != 0;
  }

  /** Writes a boolean to an array. */
  public final void storeBoolean(boolean[] array, int index, boolean value) {
    if (isFresh(array)) {
      array[index] = value;
    } else {
      store(array, index, array.length, value ? 1 : 0, null);
    }
  }

  /** Reads from an array of bytes or of booleans. */
  public final int loadByteOrBoolean(Object array, int index) {
    if (array instanceof boolean[] booleans) {
      return loadBoolean(booleans, index) ? 1 : 0;
    }
    return loadByte((byte[]) array, index);
  }

  /** Writes to an array of bytes or of booleans. */
  public final void storeByteOrBoolean(Object array, int index, int value) {
    if (array instanceof boolean[] booleans) {
      storeBoolean(booleans, index, (value & 1) != 0);
    } else {
      storeByte((byte[]) array, index, (byte) value);
    }
  }

  /** Reads a reference from an array. */
  public final @Nullable Object loadRef(@Nullable Object[] array, int index) {
    Object memory = array[index];
    int kind = kind(array);
    if (kind == TASKS) {
      return found(readReference(array, index, memory));
    }
    int place = kind == FRESH ? -1 : borrowed.find(array, index);
    return place < 0 ? memory : borrowed.reference(place);
  }

  /** Writes a reference to an array. */
  public final void storeRef(@Nullable Object[] array, int index, @Nullable Object value) {
    if (isFresh(array)) {
      array[index] = value;
      return;
    }
    // Here, where the call is to blame, and not when the task takes it over.
    if (value != null && !array.getClass().getComponentType().isInstance(value)) {
      throw new ArrayStoreException(value.getClass().getName());
    }
    store(array, index, array.length, 0, value);
  }
}
