package dev.takt.client.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A message that is not what the format says: who sent it cannot be understood any further. */
public final class WireException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param what the part of the message
   * @param offset where it is, in bytes from the begin of the message
   * @param value what is there
   * @param expected what may be there
   */
  WireException(String what, long offset, @Nullable Object value, String expected) {
    super("%s=%s at offset %s, expected: %s".formatted(what, value, offset, expected));
  }
}
