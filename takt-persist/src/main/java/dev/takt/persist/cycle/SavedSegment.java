package dev.takt.persist.cycle;

import dev.takt.persist.format.Elements;
import dev.takt.persist.graph.Mutables;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of the log of what a barrier has saved: written by the task's thread, read by that of the
 * cycle, never moved.
 *
 * <pre>
 *   owners  | account | int[] | account |      the object or array of each entry
 *   places  | (0, 0)  | (8,2) | (10, 2) |      where its values begin: longs, references
 *   longs   | 8 fields| 4 ints| 8 fields|      an array of primitives: its bytes, little-endian
 *   refs    | 2       |       | 2       |
 *   count   = 3, released after all of these
 * </pre>
 *
 * <p><b>Order of memory.</b> Writer: values, count with release, and a release fence before the
 * store that follows the barrier. Reader: reads the object, an acquire fence, then the count. So a
 * reader that has seen any later store into the object finds its entry.
 *
 * <p><b>Thread rule:</b> one thread writes; another one reads entries below {@link #count}.
 */
final class SavedSegment {
  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(SavedSegment.class, "count", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many references are cleared at once. */
  private static final int CLEARED_AT_ONCE = 4_096;

  /** The number of the first entry; set before another thread sees the segment. */
  int base;

  private final long[] longs;
  private final MemorySegment bytes;
  private final @Nullable Object[] references;
  private final @Nullable Object[] owners;
  private final long[] places;
  private int longTop;
  private int referenceTop;

  /** Set through {@link #COUNT}. */
  private volatile int count;

  /** Set once, after the last entry. */
  volatile @Nullable SavedSegment next;

  SavedSegment(int longs, int references, int entries) {
    this.longs = new long[longs];
    this.bytes = MemorySegment.ofArray(this.longs);
    this.references = new Object[references];
    this.owners = new Object[entries];
    this.places = new long[entries];
  }

  /** Returns the number of bytes that a segment of these sizes takes. */
  static long sizeBytes(long longs, long references, long entries) {
    return 8 * longs + 4 * references + 12 * entries;
  }

  /** Returns the number of bytes that this one takes. */
  long sizeBytes() {
    return sizeBytes(longs.length, references.length, owners.length);
  }

  // ---- writer

  boolean hasRoom(long moreLongs, int moreReferences) {
    return moreLongs <= longs.length - longTop
        && moreReferences <= references.length - referenceTop
        && count < owners.length;
  }

  int longCapacity() {
    return longs.length;
  }

  int referenceCapacity() {
    return references.length;
  }

  int entryCapacity() {
    return owners.length;
  }

  void add(
      Object owner,
      long[] primitives,
      int primitivesFrom,
      int primitiveCount,
      @Nullable Object[] saved,
      int savedFrom,
      int savedCount) {
    int place = begin(owner);
    System.arraycopy(primitives, primitivesFrom, longs, longTop, primitiveCount);
    System.arraycopy(saved, savedFrom, references, referenceTop, savedCount);
    end(place, primitiveCount, savedCount);
  }

  void addArray(Object array, Object copy, int length, long longCount) {
    int place = begin(array);
    if (copy instanceof Object[] elements) {
      System.arraycopy(elements, 0, references, referenceTop, length);
      end(place, 0, length);
    } else {
      Elements.copy(copy, 0, bytes, 8L * longTop, length);
      end(place, (int) longCount, 0);
    }
  }

  /**
   * Adds a collection: one long, how many elements it has, and these.
   *
   * @throws RuntimeException if it changes meanwhile, and so cannot be read; then nothing is added
   */
  void addCollection(Object collection, int size) {
    int place = begin(collection);
    longs[longTop] = size;
    Mutables.copy(collection, references, referenceTop, size);
    end(place, 1, size);
  }

  private int begin(Object owner) {
    int place = count;
    owners[place] = owner;
    places[place] = (long) longTop << Integer.SIZE | referenceTop;
    return place;
  }

  private void end(int place, int moreLongs, int moreReferences) {
    longTop += moreLongs;
    referenceTop += moreReferences;
    COUNT.setRelease(this, place + 1);
    VarHandle.releaseFence();
  }

  // ---- reader

  int count() {
    return count;
  }

  /** Returns how many longs are in use; when nothing is written any more. */
  int longsUsed() {
    return longTop;
  }

  /** Returns how many references are in use; when nothing is written any more. */
  int referencesUsed() {
    return referenceTop;
  }

  @SuppressWarnings("NullAway") // below the count all places are filled
  Object owner(int entry) {
    return owners[entry];
  }

  long primitive(int entry, int index) {
    return longs[(int) (places[entry] >>> Integer.SIZE) + index];
  }

  @Nullable Object reference(int entry, int index) {
    return references[(int) places[entry] + index];
  }

  /** Copies bytes of a saved array of primitives. */
  void copyBytes(int entry, long from, MemorySegment to, long offset, int count) {
    long place = 8 * (places[entry] >>> Integer.SIZE) + from;
    MemorySegment.copy(bytes, place, to, offset, count);
  }

  // ---- when nobody writes any more

  /**
   * Forgets the owners of some entries, and some references.
   *
   * @return whether nothing is left that refers to an object
   */
  boolean clear(int from, int to) {
    Arrays.fill(owners, from, to, null);
    int kept = Math.max(0, referenceTop - CLEARED_AT_ONCE);
    Arrays.fill(references, kept, referenceTop, null);
    referenceTop = kept;
    return to == count() && kept == 0;
  }

  /** Is empty again, and the first one. */
  void reuse() {
    base = 0;
    longTop = 0;
    referenceTop = 0;
    next = null;
    COUNT.setRelease(this, 0);
  }
}
