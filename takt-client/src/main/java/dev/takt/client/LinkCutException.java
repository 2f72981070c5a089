package dev.takt.client;

import java.io.IOException;

/** A link has ended before the host answered the HELLO, which is all that was said on it. */
final class LinkCutException extends IOException {
  private static final long serialVersionUID = 1L;

  LinkCutException(String message) {
    super(message);
  }

  LinkCutException(String message, Throwable cause) {
    super(message, cause);
  }
}
