package dev.takt.realtime.counters;

import java.util.Locale;

/**
 * A text of a row.
 *
 * <p><b>Thread rule:</b> immutable.
 */
public enum RowText {
  /** The name of what the row is about. */
  NAME(126, "name"),
  /** The source that the row is of, such as {@code runtime-1}. */
  OWNER(30, "runtime or manager that it belongs to"),
  /** What it is among those of its kind, such as {@code active}. */
  TYPE(14, "active, passive or plain"),
  /** The authentication class. */
  CLASS(46, "authentication class"),
  /** The state. */
  STATE(30, "state"),
  /** What the cost comes from. */
  BASIS(30, "what the cost comes from");

  /** The bytes of all of them in a row, with their lengths. */
  static final int ALL_BYTES = 288;

  private final int maxBytes;
  private final String description;

  RowText(int maxBytes, String description) {
    this.maxBytes = maxBytes;
    this.description = description;
  }

  /** Returns the longest text, in bytes of UTF-8. */
  public int maxBytes() {
    return maxBytes;
  }

  /** Returns what it is, for people. */
  public String description() {
    return description;
  }

  /** Returns its name in JSON. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
