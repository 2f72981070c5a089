package dev.takt.persist.format;

import java.io.IOException;

/** A file is not what a writer of this format has written. */
public final class DamagedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /**
   * Makes it.
   *
   * @param offset where in the file, in bytes; at or before the damage
   * @param what what is wrong, with the value found and the limit
   */
  public DamagedFileException(long offset, String what) {
    super("offset " + offset + ": " + what);
    this.offset = offset;
  }

  /** Returns where in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
