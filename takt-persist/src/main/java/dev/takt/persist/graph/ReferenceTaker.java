package dev.takt.persist.graph;

import org.jspecify.annotations.Nullable;

/** What finds what the references in records mean, for {@link ObjectAccess#take}. */
public abstract class ReferenceTaker {
  /** Makes one. */
  protected ReferenceTaker() {}

  /**
   * Takes a reference.
   *
   * @param code as it is in the record
   * @param reference which of the references of the object it is
   * @return what to set the field to; null as well, if it is to be set later
   */
  protected abstract @Nullable Object take(int code, int reference);
}
