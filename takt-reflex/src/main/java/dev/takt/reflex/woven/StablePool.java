package dev.takt.reflex.woven;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stable objects of one class, or arrays of one type and length, made beforehand. What an undone
 * release was given comes back; what a committed one was given has gone for good.
 *
 * <pre>
 *   objects  | null null | given | given | free free free |
 *                        ^ mark          ^ next           ^ size
 * </pre>
 *
 * <p><b>Thread rule:</b> for the thread that runs the task.
 */
final class StablePool {
  private static final Object[] NONE = {};

  private final Supplier<Object> maker;

  /** What one object is, for messages. */
  final Supplier<String> name;

  /** What one object counts. */
  final int sizeBytes;

  private @Nullable Object[] objects = NONE;
  private int mark;
  private int next;
  private int size;

  StablePool(Supplier<Object> maker, Supplier<String> name, int sizeBytes) {
    this.maker = maker;
    this.name = name;
    this.sizeBytes = sizeBytes;
  }

  /** Makes objects until so many are free. */
  void fill(int count) {
    int missing = count - (size - next);
    if (missing > 0) {
      room(missing);
      for (int i = 0; i < missing; i++) {
        objects[size] = maker.get();
        size++;
      }
    }
  }

  private void room(int more) {
    if (size + more > objects.length) {
      int given = size - mark;
      @Nullable Object[] larger = new Object[Math.max(given + more, given + given / 2)];
      System.arraycopy(objects, mark, larger, 0, given);
      objects = larger;
      next -= mark;
      size = given;
      mark = 0;
    }
  }

  /** Returns whether nothing was given since the last {@link #keep} or {@link #giveBack}. */
  boolean isUntouched() {
    return next == mark;
  }

  /** Returns whether the next object must be made. */
  boolean isEmpty() {
    return next == size;
  }

  /** Gives away an object, perhaps one that an undone release has used. */
  @SuppressWarnings("NullAway") // from next to size all places are filled
  Object next() {
    if (next == size) {
      fill(1);
    }
    return objects[next++];
  }

  /** The release has committed: what it was given is gone. */
  void keep() {
    Arrays.fill(objects, mark, next, null);
    mark = next;
    if (mark == size) {
      mark = next = size = 0;
    }
  }

  /** The release is undone: what it was given is free again. */
  void giveBack() {
    next = mark;
  }
}
