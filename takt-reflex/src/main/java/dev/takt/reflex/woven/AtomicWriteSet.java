package dev.takt.reflex.woven;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The write set of atomic calls: a map from (object, field) and (array, index) to values. Owners
 * are compared by identity. Up to {@link #SCANNED} places are found by looking at them all, more by
 * a hash table.
 *
 * <p><b>Thread rule:</b> one thread writes; once published within an {@link AtomicLog} it never
 * changes again, and any thread reads.
 *
 * <p><b>Memory:</b> 16 bytes a place, 20 where references are stored, 24 and 32 without compressed
 * references; the hash table takes 8 to 16 more.
 */
final class AtomicWriteSet {
  /** Up to this size a linear scan is faster than hashing. */
  static final int SCANNED = 8;

  private static final int[] NO_TABLE = {};

  /** What is kept between calls is cut down to this many places. */
  private static final int KEPT = 1_024;

  private @Nullable Object[] owners;
  private int[] fields;
  private long[] bits;
  private @Nullable Object @Nullable [] references;

  /** By hash: the place plus one, 0 for none; its length is a power of two. */
  private int[] table = NO_TABLE;

  private int size;

  /** Whether a put since the last clear did not come to its end: the stack or the heap was full. */
  private boolean isTorn;

  AtomicWriteSet() {
    this(SCANNED);
  }

  private AtomicWriteSet(int capacity) {
    owners = new Object[capacity];
    fields = new int[capacity];
    bits = new long[capacity];
  }

  int size() {
    return size;
  }

  boolean isTorn() {
    return isTorn;
  }

  /** Returns the place, or -1. */
  int find(Object owner, int field) {
    if (table.length != 0) {
      return table[slot(owner, field)] - 1;
    }
    for (int i = size - 1; i >= 0; i--) {
      if (owners[i] == owner && fields[i] == field) {
        return i;
      }
    }
    return -1;
  }

  /** Returns where in the table the place is, or where it would go. */
  private int slot(Object owner, int field) {
    int mask = table.length - 1;
    int slot = hash(owner, field) & mask;
    while (true) {
      int place = table[slot] - 1;
      if (place < 0 || (owners[place] == owner && fields[place] == field)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  private static int hash(Object owner, int field) {
    int hash = (System.identityHashCode(owner) + field) * 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  long bits(int place) {
    return bits[place];
  }

  @Nullable Object reference(int place) {
    return references == null ? null : references[place];
  }

  void put(Object owner, int field, long value, @Nullable Object reference) {
    boolean wasTorn = isTorn;
    isTorn = true;
    int place = find(owner, field);
    if (place < 0) {
      place = append(owner, field);
    }
    bits[place] = value;
    if (reference != null && references == null) {
      references = new Object[owners.length];
    }
    if (references != null) {
      references[place] = reference;
    }
    isTorn = wasTorn;
  }

  private int append(Object owner, int field) {
    if (size == owners.length) {
      resize(2 * size);
    }
    int place = size++;
    owners[place] = owner;
    fields[place] = field;
    if (size > SCANNED) {
      if (table.length < 2 * size) {
        rehash();
      } else {
        table[slot(owner, field)] = place + 1;
      }
    }
    return place;
  }

  private void resize(int capacity) {
    @Nullable Object[] moreOwners = Arrays.copyOf(owners, capacity);
    int[] moreFields = Arrays.copyOf(fields, capacity);
    long[] moreBits = Arrays.copyOf(bits, capacity);
    @Nullable Object @Nullable [] moreReferences =
        references == null ? null : Arrays.copyOf(references, capacity);
    assign(moreOwners, moreFields, moreBits, moreReferences);
  }

  /** Exchanges all arrays; nothing is allocated between, so an error leaves them alike. */
  private void assign(
      @Nullable Object[] owners,
      int[] fields,
      long[] bits,
      @Nullable Object @Nullable [] references) {
    this.owners = owners;
    this.fields = fields;
    this.bits = bits;
    this.references = references;
  }

  private void rehash() {
    table = new int[Integer.highestOneBit(size) << 2];
    for (int i = 0; i < size; i++) {
      table[slot(owners[i], fields[i])] = i + 1;
    }
  }

  /**
   * Returns a copy merged with other writes, which prevail, or null if that makes more places than
   * there may be.
   */
  @Nullable AtomicWriteSet with(AtomicWriteSet other, int maxSize) {
    int more = 0;
    for (int i = 0; i < other.size; i++) {
      if (find(other.owners[i], other.fields[i]) < 0) {
        more++;
      }
    }
    if (size + more > maxSize) {
      return null;
    }
    AtomicWriteSet result = copy(size + more);
    for (int i = 0; i < other.size; i++) {
      result.put(other.owners[i], other.fields[i], other.bits[i], other.reference(i));
    }
    return result;
  }

  private AtomicWriteSet copy(int capacity) {
    AtomicWriteSet result = new AtomicWriteSet(capacity);
    System.arraycopy(owners, 0, result.owners, 0, size);
    System.arraycopy(fields, 0, result.fields, 0, size);
    System.arraycopy(bits, 0, result.bits, 0, size);
    if (references != null) {
      result.references = Arrays.copyOf(references, capacity);
    }
    result.table = table.length == 0 ? NO_TABLE : table.clone();
    result.size = size;
    return result;
  }

  void clear() {
    if (owners.length > KEPT) {
      assign(new Object[SCANNED], new int[SCANNED], new long[SCANNED], null);
      table = NO_TABLE;
    } else {
      Arrays.fill(owners, 0, size, null);
      if (references != null) {
        Arrays.fill(references, 0, size, null);
      }
      if (size > SCANNED) {
        table = NO_TABLE;
      }
    }
    size = 0;
    isTorn = false;
  }

  /** Stores all values where they belong: O(size), without allocating. */
  void apply() {
    for (int i = 0; i < size; i++) {
      Object owner = owners[i];
      if (owner instanceof Undoable saved) {
        saved.$takt$apply(fields[i], bits[i], reference(i));
      } else {
        store(owner, fields[i], bits[i], reference(i));
      }
    }
  }

  /** Shows a sink all that {@link #apply} changes; objects by way of the log of an attempt. */
  void show(SaveSink sink, TaskMemory memory) {
    Object last = null;
    for (int i = 0; i < size; i++) {
      Object owner = owners[i];
      if (owner instanceof Undoable object) {
        if (object.$takt$stamp() != memory.epoch) {
          object.$takt$save(memory);
        }
      } else if (owner != null && owner != last) {
        sink.savedArray(owner, owner, Array.getLength(owner));
      }
      last = owner;
    }
  }

  /** Tells a sink of what {@link #apply} has changed. */
  void tell(ChangeSink sink) {
    for (int i = 0; i < size; i++) {
      Object owner = owners[i];
      if (owner != null && (i == 0 || owner != owners[i - 1])) {
        sink.applied(owner);
      }
    }
  }

  /** Returns an element of an array of primitives as it is kept here. */
  static long bits(Object array, int index) {
    return switch (array) {
      case long[] longs -> longs[index];
      case double[] doubles -> Double.doubleToRawLongBits(doubles[index]);
      case float[] floats -> Float.floatToRawIntBits(floats[index]);
      case boolean[] booleans -> booleans[index] ? 1 : 0;
      case char[] chars -> chars[index];
      default -> Array.getInt(array, index);
    };
  }

  static void store(@Nullable Object array, int index, long value, @Nullable Object reference) {
    switch (array) {
      case long[] longs -> longs[index] = value;
      case int[] ints -> ints[index] = (int) value;
      case double[] doubles -> doubles[index] = Double.longBitsToDouble(value);
      case byte[] bytes -> bytes[index] = (byte) value;
      case float[] floats -> floats[index] = Float.intBitsToFloat((int) value);
      case short[] shorts -> shorts[index] = (short) value;
      case char[] chars -> chars[index] = (char) value;
      case boolean[] booleans -> booleans[index] = value != 0;
      case Object[] references -> references[index] = reference;
      case null, default -> throw new IllegalStateException("neither object nor array: " + array);
    }
  }
}
