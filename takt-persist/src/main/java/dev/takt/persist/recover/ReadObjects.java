package dev.takt.persist.recover;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a section by their numbers, with what the fix-up needs of each.
 *
 * <pre>
 *   objects   | made | made | candidate | null |        below made: objects; below named: what
 *                          ^made              ^named    stands in the place of a later one, if any
 *   classes   |  0   |  1   |                           the number of the class of each
 *   numbers   | 1 2  | 3 -1 4 |                         the references of each, -1 for null
 * </pre>
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> 8 to 16 bytes an object and 4 to 8 a reference, while a section is read; each
 * takes a byte of the file at least.
 */
final class ReadObjects {
  /** More than an array can have. */
  static final int MAX = Integer.MAX_VALUE - 16;

  private @Nullable Object[] objects = new Object[64];
  private int[] classes = new int[64];
  private int made;
  private int named;
  private int[] numbers = new int[64];
  private int numbered;

  /** Their ids; 0: none. */
  private int[] ids = {};

  /** Where the references of each object begin, if some are read again; else of no length. */
  private int[] starts;

  /** Where those of the next object begin. */
  private int start;

  /** Where the next reference of an object that is read again belongs; -1: none is. */
  private int again = -1;

  /**
   * Makes it.
   *
   * @param changes whether objects will be read again
   */
  ReadObjects(Object root, boolean changes) {
    starts = new int[changes ? 64 : 0];
    objects[0] = root;
    named = 1;
  }

  int made() {
    return made;
  }

  int named() {
    return named;
  }

  /** Gives the next number to an object that comes later. */
  int name(@Nullable Object candidate) {
    if (named == objects.length) {
      int length = larger(named);
      objects = Arrays.copyOf(objects, length);
      classes = Arrays.copyOf(classes, length);
    }
    objects[named] = candidate;
    return named++;
  }

  /** Returns what stands in the place of the next object. */
  @Nullable Object candidate() {
    return objects[made];
  }

  /** Notes the id of an object; -1: it has none. */
  void id(int number, int id) {
    if (id >= 0) {
      if (number >= ids.length) {
        ids = Arrays.copyOf(ids, Math.max(64, objects.length));
      }
      ids[number] = id;
    }
  }

  /** Returns what has an id. */
  ObjectsById byId() {
    ObjectsById all = new ObjectsById();
    for (int i = 0; i < Math.min(made, ids.length); i++) {
      Object object = objects[i];
      if (ids[i] > 0 && object != null && !(object instanceof Unknown)) {
        all.put(ids[i], object);
      }
    }
    return all;
  }

  /** Adds the next object, which has been named. */
  void add(Object object, int classNumber) {
    if (starts.length > 0) {
      if (made == starts.length) {
        starts = Arrays.copyOf(starts, larger(made));
      }
      starts[made] = start;
      start = numbered;
    }
    objects[made] = object;
    classes[made++] = classNumber;
  }

  /** Begins to read an object again that was added: it has as many references as before. */
  void beginAgain(int number) {
    again = starts[number];
  }

  void endAgain() {
    again = -1;
  }

  /** Adds a reference of the object that is made next, or is read again. */
  void addNumber(int number) {
    if (again >= 0) {
      numbers[again++] = number;
      return;
    }
    if (numbered == numbers.length) {
      numbers = Arrays.copyOf(numbers, larger(numbered));
    }
    numbers[numbered++] = number;
  }

  private static int larger(int length) {
    if (length == MAX) {
      throw new IllegalArgumentException(
          "a section has too many objects or references to be read at once: limit=" + MAX);
    }
    return (int) Math.min(2L * length, MAX);
  }

  @SuppressWarnings("NullAway") // below made there is one
  Object get(int number) {
    return objects[number];
  }

  void set(int number, Object object) {
    objects[number] = object;
  }

  int classNumber(int number) {
    return classes[number];
  }

  int number(int index) {
    return numbers[index];
  }
}
