package dev.takt.client;

import java.io.IOException;

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
}
