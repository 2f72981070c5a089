package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * Receives what stable objects and their arrays hold before they change: what a release saves to be
 * able to undo it, and what atomic calls replace. See {@link TaskMemory#sink(SaveSink)}.
 *
 * <p>The same object can come several times; its first copy in a cycle is the one that holds what
 * it held when the cycle began. It is the one for which {@link Undoable#$takt$stamp} is less than
 * the number of the cycle. Arrays have no stamp of their own: a sink remembers which it has seen.
 * An exception keeps the store from being done; inside of the taking over of atomic calls there
 * must be none.
 *
 * <p><b>Thread rule:</b> called by the thread that runs the release, in its time; of objects that
 * plain threads change, by any of these, one at a time. Copy what is needed, since log and shadow
 * are used again.
 */
public interface SaveSink {
  /**
   * The sink is attached, between two releases.
   *
   * @param cycle the number of the cycle: more than the stamps of all objects now, less than those
   *     of objects that change in it
   */
  default void begins(long cycle) {}

  /**
   * An object is about to change. Its values, in the order of {@link StableLayout}, are the last
   * ones before an end.
   *
   * @param object the object, whose stamp is still that of the change before
   * @param primitives where its primitives are, as in {@link Undoable#$takt$apply}
   * @param primitivesEnd behind the last one
   * @param references where its references are
   * @param referencesEnd behind the last one
   */
  void saved(
      Undoable object,
      long[] primitives,
      int primitivesEnd,
      @Nullable Object[] references,
      int referencesEnd);

  /**
   * An array is about to change.
   *
   * @param array the array
   * @param copy of the same type, holds the same elements
   * @param length how many elements it has
   */
  void savedArray(Object array, Object copy, int length);

  /**
   * A collection of the JDK that plain threads change is about to change; nobody changes it before
   * this returns. A sink remembers which it has seen, as with arrays, and copies what it wants.
   *
   * @param collection the collection or map
   */
  default void savedCollection(Object collection) {}

  /**
   * Something changes that could not be saved, since memory or stack had no room for it: the cycle
   * has lost its begin.
   */
  default void missed(Throwable why) {}

  /**
   * The sink is detached, and was one of objects that plain threads change.
   *
   * @param times how often their barriers were called while it was attached
   */
  default void called(long times) {}
}
