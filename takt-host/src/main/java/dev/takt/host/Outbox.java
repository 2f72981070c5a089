package dev.takt.host;

import java.lang.foreign.MemorySegment;

/** Where the messages to one client go. */
@FunctionalInterface
public interface Outbox {
  /**
   * Sends a message.
   *
   * @param message begins with it; is used again afterwards
   * @param length how many bytes it has
   */
  void send(MemorySegment message, int length);
}
