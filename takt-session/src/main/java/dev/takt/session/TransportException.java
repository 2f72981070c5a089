package dev.takt.session;

import java.io.IOException;

/** What a {@link Transport} refuses, with value, limit and remedy, or that an end is closed. */
public final class TransportException extends IOException {
  private static final long serialVersionUID = 1;

  /** With a message alone. */
  public TransportException(String message) {
    super(message);
  }

  /** With what it comes from. */
  public TransportException(String message, Throwable cause) {
    super(message, cause);
  }
}
