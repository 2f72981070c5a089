package dev.takt.persist.graph;

import org.jspecify.annotations.Nullable;

/** What puts the references of objects into records, for {@link ObjectAccess#put}. */
public abstract class ReferenceOutput {
  /** Makes one. */
  protected ReferenceOutput() {}

  /** Returns whether an object may have changed before all of it was read. */
  protected abstract boolean hasChanged(Object object);

  /**
   * Puts a reference.
   *
   * @return the place behind it
   */
  protected abstract int put(byte[] to, int at, @Nullable Object value);

  /** Does so with what is in a final field: nothing, if it cannot be stored. */
  protected abstract int putFinal(byte[] to, int at, @Nullable Object value);
}
