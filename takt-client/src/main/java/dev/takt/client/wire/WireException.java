package dev.takt.client.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A message that is not what the format says: who sent it cannot be understood any further. Or one
 * with more keys than its sender may have: those behind it can be read.
 */
public final class WireException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String value;
  private final String expected;
  private final boolean isOfKeys;

  /**
   * Makes one.
   *
   * @param what the part of the message
   * @param offset where it is, in bytes from the begin of the message
   * @param value what is there
   * @param expected what may be there
   */
  WireException(String what, long offset, @Nullable Object value, String expected) {
    this(what, offset, value, expected, false);
  }

  private WireException(
      String what, long offset, @Nullable Object value, String expected, boolean isOfKeys) {
    super("%s=%s at offset %s, expected: %s".formatted(what, value, offset, expected));
    this.what = what;
    this.value = String.valueOf(value);
    this.expected = expected;
    this.isOfKeys = isOfKeys;
  }

  /** Returns the part of the message. */
  public String what() {
    return what;
  }

  /** Returns what is there. */
  public String value() {
    return value;
  }

  /** Returns what may be there. */
  public String expected() {
    return expected;
  }

  /** Makes one for keys that are too many. */
  static WireException ofKeys(long offset, @Nullable Object value, String expected) {
    return new WireException("key in a new sequence", offset, value, expected, true);
  }

  /** Returns whether it is a message in the format, with more keys than there may be. */
  boolean isOfKeys() {
    return isOfKeys;
  }

  /**
   * Returns what the sender of a request with too many keys is told, which is refused alone.
   *
   * @throws WireException this one, if it is a message that is not in the format
   */
  public IllegalStateException refusal() throws WireException {
    if (!isOfKeys) {
      throw this;
    }
    return new IllegalStateException(getMessage(), this);
  }
}
