package dev.takt.persist.recover;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a section by their numbers, with what the fix-up needs of each.
 *
 * <pre>
 *   objects   | made | made | candidate | early | null |   below made: objects; below named: what
 *                          ^made                       ^named    stands there until it is made
 *   classes   |  0   |  1   |     0     |  EARLY |         the number of the class of each
 *   numbers   | 1 2  | 3 -1 4 |                            the references of each, -1 for null;
 *                                                          of one that is settled, none
 * </pre>
 *
 * <p><b>Settled</b> is an object whose references are set; its class is noted as the complement of
 * the number. <b>Early</b> is one that was made when it was named, before its record is read.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> 8 bytes an object and 4 a reference that is not set at once, while a section is
 * read; each takes a byte of the file at least. Tables grow by pages: growing copies none of them,
 * and since a page is young, a store into it costs the collector nothing.
 */
final class ReadObjects {
  /** More than an array can have. */
  static final int MAX = Integer.MAX_VALUE - 16;

  /** Instead of a class: the object is made, and its record is to come. */
  private static final int EARLY = Integer.MIN_VALUE;

  private @Nullable Object[][] objects = new Object[1][];
  private final IntTable classes = new IntTable();
  private final IntTable numbers = new IntTable();
  private int made;
  private int named;
  private int numbered;

  /** How many objects there are up to the last one that is not settled. */
  private int unsettled;

  /** Their ids; 0: none. */
  private final IntTable ids = new IntTable();

  /** Where the references of each object begin, if some are read again; else null. */
  private final @Nullable IntTable starts;

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
    starts = changes ? new IntTable() : null;
    name(root);
  }

  int made() {
    return made;
  }

  int named() {
    return named;
  }

  /** Gives the next number to an object that comes later. */
  int name(@Nullable Object candidate) {
    int page = IntTable.page(named);
    if (IntTable.inPage(named) == 0) {
      requireRoom(named);
      if (page == objects.length) {
        objects = Arrays.copyOf(objects, IntTable.room(page));
      }
      objects[page] = new Object[IntTable.PAGE];
    }
    if (candidate != null) {
      objects[page][IntTable.inPage(named)] = candidate;
    }
    return named++;
  }

  private static void requireRoom(int length) {
    if (length >= MAX - IntTable.PAGE) {
      throw new IllegalArgumentException(
          "a section has too many objects or references to be read at once: limit=" + MAX);
    }
  }

  /** Does so, and makes the object at once: what refers to it can do so already. */
  int nameEarly(Object object) {
    int number = name(object);
    classes.put(number, EARLY);
    return number;
  }

  /**
   * Returns how many of the next objects were made early and are of a class. It looks at as many as
   * it may in any case: so the processor fetches them from memory at once, and not one after the
   * other.
   */
  int earlyRun(Class<?> type, int most) {
    int begin = IntTable.inPage(made);
    int end = begin + Math.min(Math.min(most, named - made), IntTable.PAGE - begin);
    int run = end;
    for (int i = end - 1; i >= begin; i--) {
      Object object = objects[IntTable.page(made)][i];
      boolean isEarly = object != null && classes.get(made + i - begin) == EARLY;
      run = isEarly && object.getClass() == type ? run : i;
    }
    return run - begin;
  }

  /** Takes back the numbers from one on, which were given to objects that come later. */
  void forget(int from) {
    for (int number = from; number < named; number++) {
      objects[IntTable.page(number)][IntTable.inPage(number)] = null;
      classes.put(number, 0);
    }
    named = from;
  }

  /** Returns the next object if it was made when it was named, else null. */
  @Nullable Object early() {
    return classes.get(made) == EARLY ? get(made) : null;
  }

  /** Returns an object that is made, with its last class, or was made early; else null. */
  @Nullable Object settled(int number) {
    return number < made || classes.get(number) == EARLY ? get(number) : null;
  }

  /** Returns whether objects can be settled when they are read: none is read again. */
  boolean canSettle() {
    return starts == null;
  }

  /** Returns whether the references of an object are set. */
  boolean isSettled(int number) {
    return classes.get(number) < 0;
  }

  /** Returns the number from which on all objects are settled. */
  int unsettled() {
    return unsettled;
  }

  /** Returns what stands in the place of the next object. */
  @Nullable Object candidate() {
    return objects[IntTable.page(made)][IntTable.inPage(made)];
  }

  /** Notes the id of an object; -1: it has none. */
  void id(int number, int id) {
    if (id >= 0) {
      ids.put(number, id);
    }
  }

  /** Returns what has an id. */
  ObjectsById byId() {
    ObjectsById all = new ObjectsById();
    for (int i = 0; i < made; i++) {
      int id = ids.get(i);
      Object object = get(i);
      if (id > 0 && !(object instanceof Unknown)) {
        all.put(id, object);
      }
    }
    return all;
  }

  /**
   * Adds the next object, which has been named.
   *
   * @param settled whether its references are set
   */
  void add(Object object, int classNumber, boolean settled) {
    if (starts != null) {
      starts.put(made, start);
      start = numbered;
    }
    if (get(made) != object) {
      set(made, object);
    }
    addEarly(classNumber, settled);
  }

  /** Adds the next object, which stands in its place. */
  void addEarly(int classNumber, boolean settled) {
    classes.put(made++, settled ? ~classNumber : classNumber);
    if (!settled) {
      unsettled = made;
    }
  }

  /** Begins to read an object again that was added: it has as many references as before. */
  void beginAgain(int number) {
    again = starts == null ? -1 : starts.get(number);
  }

  void endAgain() {
    again = -1;
  }

  /** Adds a reference of the object that is made next, or is read again. */
  void addNumber(int number) {
    if (again >= 0) {
      numbers.put(again++, number);
      return;
    }
    if (IntTable.inPage(numbered) == 0) {
      requireRoom(numbered);
    }
    numbers.put(numbered++, number);
  }

  @SuppressWarnings("NullAway") // below made there is one
  Object get(int number) {
    return objects[IntTable.page(number)][IntTable.inPage(number)];
  }

  void set(int number, Object object) {
    objects[IntTable.page(number)][IntTable.inPage(number)] = object;
  }

  int classNumber(int number) {
    int there = classes.get(number);
    return there < 0 ? ~there : there;
  }

  int number(int index) {
    return numbers.get(index);
  }
}
