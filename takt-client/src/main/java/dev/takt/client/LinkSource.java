package dev.takt.client;

import java.io.IOException;

/** Makes links to one host. */
@FunctionalInterface
public interface LinkSource {
  /**
   * Returns a link on which nothing was said.
   *
   * @throws IOException if the host cannot be reached now
   */
  MessageLink connect() throws IOException;
}
