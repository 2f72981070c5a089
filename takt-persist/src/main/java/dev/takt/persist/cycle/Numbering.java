package dev.takt.persist.cycle;

import dev.takt.persist.format.Format;
import dev.takt.persist.format.Primitives;
import dev.takt.persist.graph.ReferenceOutput;
import dev.takt.persist.graph.StoredField;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Gives the objects of one root their numbers, and puts references as these; knows whether an
 * object was saved by the barrier while it was read.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class Numbering extends ReferenceOutput {
  private final String root;
  private final ObjectTable table;
  private final Capture capture;
  private final long maxObjects;

  /** How many objects the references that were put have named. */
  private int named;

  /** The last object that was put. */
  private int begun;

  /**
   * Makes it.
   *
   * @param root the name of the root
   * @param maxObjects how many objects it may lead to
   */
  Numbering(String root, ObjectTable table, Capture capture, long maxObjects) {
    this.root = root;
    this.table = table;
    this.capture = capture;
    this.maxObjects = maxObjects;
  }

  /** Tells how many objects are named before any reference is put. */
  void named(int count) {
    named = count;
  }

  /** An object is put: one that nothing has named is named by that. */
  void begin(int number) {
    begun = number;
    if (number == named) {
      named++;
    }
  }

  /** Returns the number of the object that was put last; less than 0: one of the base. */
  int begun() {
    return begun;
  }

  /** Returns the number of an object, which it gets if it has none; -1 for null. */
  int find(@Nullable Object object) {
    if (object == null) {
      return -1;
    }
    int number = table.add(object);
    if (number >= maxObjects) {
      throw new IllegalArgumentException(
          "root %s has too many objects: maxObjects=%s; raise PersistSettings.maxObjects"
              .formatted(root, maxObjects));
    }
    return number;
  }

  /** Returns the copy of what was just read, if it may have changed meanwhile; else -1. */
  int saved(Object object) {
    VarHandle.acquireFence();
    if (capture.hasMore()) {
      capture.takeInAll();
    }
    return capture.find(object);
  }

  @Override
  protected boolean hasChanged(Object object) {
    return saved(object) >= 0;
  }

  @Override
  protected int put(byte[] to, int at, @Nullable Object value) {
    if (value == null) {
      return Primitives.oneByte(to, at, Format.NULL);
    }
    int number = find(value);
    if (number == named) {
      named++;
      return Primitives.oneByte(to, at, Format.NEXT);
    }
    return Primitives.varlong(to, at, Integer.toUnsignedLong(Format.LAST + named - 1 - number));
  }

  @Override
  protected int putFinal(byte[] to, int at, @Nullable Object value) {
    return put(to, at, kept(value));
  }

  /** What a constructor has put into a final field and cannot be stored is left to it. */
  static @Nullable Object kept(@Nullable Object inFinal) {
    return inFinal == null || StoredField.isLeft(inFinal) ? null : inFinal;
  }
}
