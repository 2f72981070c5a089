package dev.takt.client;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Makes links to one host. */
@FunctionalInterface
public interface LinkSource {
  /**
   * Returns a link on which nothing was said.
   *
   * @param timeoutNs how long that may take, in nanoseconds, from 1 on
   * @throws IOException if the host cannot be reached now
   */
  MessageLink connect(long timeoutNs) throws IOException;

  /**
   * As {@link #connect(long)}, and gives up soon when the link is not wanted any more.
   *
   * @param isGivenUp says so; one that waits for a host is to ask this several times a second
   */
  default MessageLink connect(long timeoutNs, BooleanSupplier isGivenUp) throws IOException {
    return connect(timeoutNs);
  }
}
