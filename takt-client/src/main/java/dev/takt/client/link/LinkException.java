package dev.takt.client.link;

import java.io.IOException;

/**
 * A link cannot be made or go on: the other process has broken the protocol, or refuses, or what
 * the link needs is not there. The message names value, limit and remedy. The link is to be closed.
 */
public final class LinkException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Makes one with a message. */
  public LinkException(String message) {
    super(message);
  }

  /** Makes one with what has caused it. */
  public LinkException(String message, Throwable cause) {
    super(message, cause);
  }
}
