package dev.takt.reflex.woven;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the stable objects of a task held before the running attempt changed them.
 *
 * <p><b>Purpose.</b> The first store of an attempt into a stable object copies all fields of it
 * that can change into this log: primitives into one stack, references into another, then the
 * object. To undo, objects take their fields back. An encapsulated array is copied whole into its
 * shadow, and (array, shadow, length) is logged.
 *
 * <pre>
 *   primitives  | a.x a.y | b.n |          references  | a.next | b.left b.right |
 *   objects     | a       | b   |          tops        | (2, 1) | (3, 3)         |
 *   arrays      | array, shadow, length | ...
 * </pre>
 *
 * <p><b>Order.</b> Everything is undone in the reverse order of saving, kind by kind. If an object
 * or array is there twice, the older copy so comes last and prevails. Nothing depends on the order
 * between objects and arrays: fields and elements are different places, and neither way of undoing
 * reads what the other one writes (an array is restored by its identity, not through the field that
 * refers to it).
 *
 * <p><b>Errors in the middle.</b> A {@code StackOverflowError} can end a save anywhere. Values
 * without their object are skipped: {@code tops} has for each object where its values end. An
 * object that is logged but not yet marked is saved a second time at the next store; it has not
 * been changed in between.
 *
 * <p><b>Bounds.</b> An attempt saves an object once, so the log is bounded by the stable memory;
 * capacity for all of it is reserved at registration. Saves that were cut off can make it longer:
 * then it grows, which is counted, up to four times that capacity and {@value #SPARE} more.
 *
 * <p><b>Speed.</b> A task mostly changes the same objects in the same order in each release. So a
 * reference is only stored where another one is: a comparison is cheaper than the garbage
 * collector's write barrier.
 *
 * <p><b>Thread rule:</b> for the thread that runs the release.
 *
 * <p><b>Memory:</b> 8 bytes a primitive, 4 a reference, 12 an object, 12 an array, of the capacity.
 */
abstract sealed class UndoLog permits TaskMemory {
  /** How many entries a log can have beyond its multiple of the reserved capacity. */
  static final int SPARE = 4_096;

  /** The arrays of the log are at most twice as long, which the JVM can still make. */
  private static final int UNBOUNDED = Integer.MAX_VALUE / 4;

  private static final int INITIAL = 8;

  private long[] primitives = new long[INITIAL];
  private @Nullable Object[] references = new Object[INITIAL];
  private @Nullable Object[] objects = new Object[INITIAL];
  private long[] tops = new long[INITIAL];
  private Object[] arrays = new Object[2 * INITIAL];
  private int[] lengths = new int[INITIAL];

  private int primitiveCount;
  private int referenceCount;

  /** Returns how many objects are saved. */
  int objectCount;

  /** Returns how many arrays are saved. */
  int arrayCount;

  private int maxEntries = SPARE;
  final MemoryFigures figures = new MemoryFigures();

  /** Receives what is saved, before it changes. */
  @Nullable SaveSink sink;

  UndoLog() {}

  /** Makes room for what a task can save at once; between releases. */
  final void reserve(int primitives, int references, int objects, int arrays) {
    this.primitives = Arrays.copyOf(this.primitives, larger(this.primitives.length, primitives));
    this.references = Arrays.copyOf(this.references, larger(this.references.length, references));
    this.objects = Arrays.copyOf(this.objects, larger(this.objects.length, objects));
    this.tops = Arrays.copyOf(this.tops, this.objects.length);
    this.lengths = Arrays.copyOf(this.lengths, larger(this.lengths.length, arrays));
    this.arrays = Arrays.copyOf(this.arrays, 2 * this.lengths.length);
    int most = Math.max(Math.max(primitives, references), Math.max(objects, arrays));
    maxEntries = (int) Math.min(UNBOUNDED, SPARE + 4L * most);
  }

  private static int larger(int present, int wanted) {
    return Math.max(present, wanted);
  }

  // ---- saving

  /** Saves a boolean, byte, short, char or int. */
  public final void saveInt(int value) {
    saveLong(value);
  }

  /** Saves a long. */
  public final void saveLong(long value) {
    int at = primitiveCount;
    if (at == primitives.length) {
      primitives = Arrays.copyOf(primitives, grown(at));
    }
    primitives[at] = value;
    primitiveCount = at + 1;
  }

  /** Saves a float, all bits of it. */
  public final void saveFloat(float value) {
    saveLong(Float.floatToRawIntBits(value));
  }

  /** Saves a double, all bits of it. */
  public final void saveDouble(double value) {
    saveLong(Double.doubleToRawLongBits(value));
  }

  /** Saves a reference. */
  public final void saveRef(@Nullable Object value) {
    int at = referenceCount;
    if (at == references.length) {
      references = Arrays.copyOf(references, grown(at));
    }
    if (references[at] != value) {
      references[at] = value;
    }
    referenceCount = at + 1;
  }

  /** Ends the saving of an object, after all its values. */
  public final void saved(Undoable object) {
    SaveSink sink = this.sink;
    if (sink != null) {
      sink.saved(object, primitives, primitiveCount, references, referenceCount);
    }
    int at = objectCount;
    if (at == objects.length) {
      // The two arrays grow one after the other; an error in between leaves the first one larger.
      int length = grown(at);
      tops = Arrays.copyOf(tops, length);
      objects = Arrays.copyOf(objects, length);
    }
    if (objects[at] != object) {
      objects[at] = object;
    }
    tops[at] = (long) primitiveCount << Integer.SIZE | referenceCount;
    objectCount = at + 1;
  }

  /**
   * Saves an array, whose first elements the caller has copied into a shadow.
   *
   * @param array the array
   * @param shadow an array of the same type, at least {@code length} long, that is not changed
   *     until the release has ended
   * @param length how many elements were copied
   */
  public final void saveArray(Object array, Object shadow, int length) {
    SaveSink sink = this.sink;
    if (sink != null) {
      sink.savedArray(array, shadow, length);
    }
    int at = arrayCount;
    if (at == lengths.length) {
      int capacity = grown(at);
      arrays = Arrays.copyOf(arrays, 2 * capacity);
      lengths = Arrays.copyOf(lengths, capacity);
    }
    arrays[2 * at] = array;
    arrays[2 * at + 1] = shadow;
    lengths[at] = length;
    arrayCount = at + 1;
  }

  /**
   * Returns an array to copy another one into: of the same type and length.
   *
   * @param array the array to be copied
   * @param old the shadow used before, or null; it is returned if it fits
   */
  public static Object shadow(Object array, @Nullable Object old) {
    int length = Array.getLength(array);
    return old != null && old.getClass() == array.getClass() && Array.getLength(old) == length
        ? old
        : Array.newInstance(array.getClass().getComponentType(), length);
  }

  /** Returns how many objects the running attempt has saved; one may be there twice. */
  public final int savedObjects() {
    return objectCount;
  }

  /** Returns an object that the running attempt has saved. */
  @SuppressWarnings("NullAway") // what is below the count is there
  public final Object savedObject(int at) {
    return objects[at];
  }

  /** Returns how many arrays the running attempt has saved; one may be there twice. */
  public final int savedArrays() {
    return arrayCount;
  }

  /** Returns an array that the running attempt has saved. */
  public final Object savedArray(int at) {
    return arrays[2 * at];
  }

  /** Returns what that array held before, in an array that is as long. */
  public final Object arrayBefore(int at) {
    return arrays[2 * at + 1];
  }

  private int grown(int full) {
    if (full >= maxEntries) {
      throw logExhausted(full);
    }
    figures.add(MemoryFigures.LOG_GROWTHS, 1);
    return Math.min(maxEntries, full * 2);
  }

  /** Makes the error for a log that may not grow further. */
  abstract Error logExhausted(int entries);

  // ---- taking back

  /** Takes back what {@link #saveInt} saved. */
  public final int restoreInt() {
    return (int) restoreLong();
  }

  /** Takes back what {@link #saveLong} saved. */
  public final long restoreLong() {
    return primitives[--primitiveCount];
  }

  /** Takes back what {@link #saveFloat} saved. */
  public final float restoreFloat() {
    return Float.intBitsToFloat((int) restoreLong());
  }

  /** Takes back what {@link #saveDouble} saved. */
  public final double restoreDouble() {
    return Double.longBitsToDouble(restoreLong());
  }

  /** Takes back what {@link #saveRef} saved. */
  public final @Nullable Object restoreRef() {
    return references[--referenceCount];
  }

  /** Puts everything back as it was saved, and empties the log. */
  @SuppressWarnings("NullAway") // what is below a count is there
  final void restoreAll(TaskMemory memory) {
    for (int i = objectCount - 1; i >= 0; i--) {
      long top = tops[i];
      primitiveCount = (int) (top >>> Integer.SIZE);
      referenceCount = (int) top;
      ((Undoable) objects[i]).$takt$restore(memory);
    }
    for (int i = arrayCount - 1; i >= 0; i--) {
      System.arraycopy(arrays[2 * i + 1], 0, arrays[2 * i], 0, lengths[i]);
    }
    clear();
  }

  /** Empties the log: what was saved is not needed any more. */
  final void clear() {
    primitiveCount = 0;
    referenceCount = 0;
    objectCount = 0;
    arrayCount = 0;
  }
}
