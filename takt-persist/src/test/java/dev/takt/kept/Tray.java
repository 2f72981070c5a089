package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;

/** A persistent object that recovery makes without its constructor. */
@Persistent
public final class Tray {
  private final Object content;

  /** Makes one. */
  public Tray(Object content) {
    this.content = content;
  }

  /** Returns what is in it. */
  public Object content() {
    return content;
  }
}
