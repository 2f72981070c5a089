package dev.takt.persist.graph;

import org.jspecify.annotations.Nullable;

/** What {@link AccessCode} generates for one class. */
abstract class ObjectCode {
  ObjectCode() {}

  /** Reads all fields. */
  abstract void read(Object from, long[] bits, @Nullable Object[] references);

  /** Sets the primitives that are not final. */
  abstract void writePrimitives(Object to, long[] bits);

  /** Sets the references that are not final. */
  abstract void writeReferences(Object to, @Nullable Object[] references);

  /** Makes an instance, or returns null if there is no constructor for that. */
  abstract @Nullable Object make(long[] bits, @Nullable Object[] references);
}
