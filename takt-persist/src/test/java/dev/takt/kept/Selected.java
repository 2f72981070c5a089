package dev.takt.kept;

import dev.takt.persist.annotation.PersistentField;

/** A subclass of a persistent class, some of whose fields are stored. */
public final class Selected extends Account {
  @PersistentField private int kept;
  private int leftOut;

  /** Makes one. */
  public Selected(String owner, int value) {
    super(owner, value);
    kept = value;
    leftOut = value;
  }

  /** Returns what is stored. */
  public int kept() {
    return kept;
  }

  /** Returns what is not. */
  public int leftOut() {
    return leftOut;
  }
}
