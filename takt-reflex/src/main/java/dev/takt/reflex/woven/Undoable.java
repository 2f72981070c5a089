package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * A stable object whose stores are woven: it can copy its fields into the log of a release and take
 * them back. Implemented by the weaver.
 */
public interface Undoable {
  /**
   * Pushes all fields that can change, those of the superclass first, and then the object itself;
   * marks the object as saved in this epoch.
   */
  void $takt$save(TaskMemory memory);

  /** Returns the epoch in which the object was saved last, 0 if it never was. */
  long $takt$stamp();

  /**
   * Returns what {@link #$takt$number(int)} was given last, 0 if it never was; of instances of a
   * pool, maybe by another life of theirs.
   */
  int $takt$number();

  /**
   * Keeps a number for a cycle of persistence, which has a table of the objects that it has found:
   * so it needs no hash to find an object again. No release sees or restores it.
   */
  void $takt$number(int number);

  /** Takes the fields back, in the reverse order. */
  void $takt$restore(TaskMemory memory);

  /**
   * Stores into one field what an atomic call has written there.
   *
   * @param field the number of the field: the depth of its class in the hierarchy in the upper 16
   *     bits, its index among the fields of that class in the lower ones
   * @param bits the value of a primitive: integers as they are, floating point by its raw bits
   * @param reference the value of a reference
   */
  void $takt$apply(int field, long bits, @Nullable Object reference);
}
