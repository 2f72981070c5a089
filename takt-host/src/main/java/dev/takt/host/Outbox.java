package dev.takt.host;

import java.lang.foreign.MemorySegment;

/** Where the messages to one client go. */
@FunctionalInterface
public interface Outbox {
  /**
   * Sends a message, for which there is room if {@link #hasRoom} said so.
   *
   * @param message begins with it; is used again afterwards
   * @param length how many bytes it has
   */
  void send(MemorySegment message, int length);

  /**
   * Has room for an answer with events, before what it tells is done for good; {@link #send} or the
   * next call gives that back.
   *
   * @param length how many bytes it has
   * @throws IllegalStateException if there is none: the request is refused
   */
  default void reserve(int length) {}

  /**
   * Ends the link soon: its client has come again on another one. What has come on this one and is
   * not handled yet may be dropped. Any thread.
   */
  default void cutOff() {}

  /**
   * Returns whether the host may do another step of an answer that takes many; is asked before each
   * one. What is left is done by {@link ClientSession#advance}.
   */
  default boolean mayGoOn() {
    return true;
  }

  /**
   * Returns which request's answer has come last of those with events that were taken, so that all
   * before it have come, too; 0: it is not known, messages tell.
   */
  default long confirmed() {
    return 0;
  }

  /** Returns whether there is room for a message of any length. */
  default boolean hasRoom() {
    return true;
  }
}
