package dev.takt.persist.graph;

import org.jspecify.annotations.Nullable;

/** What {@link AccessCode} generates for one class. */
abstract class ObjectCode {
  ObjectCode() {}

  /** Reads all fields. */
  abstract void read(Object from, long[] bits, @Nullable Object[] references);

  /**
   * Puts all fields as a record has them; returns where that ends, or -1 if the object has changed.
   */
  abstract int put(Object from, byte[] to, int at, ReferenceOutput references);

  /** Sets the primitives that are not final. */
  abstract void writePrimitives(Object to, long[] bits);

  /**
   * Sets the fields, of which none is final, to what is in a record; returns where that ends, or -1
   * if a value is none of its type, or has more than eight bytes.
   */
  abstract int take(Object to, byte[] from, int at, ReferenceTaker references);

  /** Sets the references that are not final. */
  abstract void writeReferences(Object to, @Nullable Object[] references);

  /** Makes an instance, or returns null if there is no constructor for that. */
  abstract @Nullable Object make(long[] bits, @Nullable Object[] references);
}
