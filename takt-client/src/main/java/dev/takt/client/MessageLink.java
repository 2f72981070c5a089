package dev.takt.client;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Carries messages whole and in order, to one other side and back.
 *
 * <p><b>Thread rule:</b> one thread at a time is in {@link #offer} or {@link #poll}, and another
 * one may be in {@link #await} meanwhile; the rest any thread.
 */
public interface MessageLink extends Closeable {
  /** What {@link #poll} returns when there is nothing. */
  int NONE = -1;

  /** What {@link #poll} returns when nothing can come any more. */
  int ENDED = -2;

  /**
   * Sends a message if there is room; does not wait for it.
   *
   * @param message begins with it; may be used again afterwards
   * @param length how many bytes it has
   * @return whether it was sent
   * @throws IOException if the link has ended: the message may have arrived or not
   */
  boolean offer(MemorySegment message, int length) throws IOException;

  /**
   * Receives a message if there is one; does not wait for it.
   *
   * @param into has room for the largest message
   * @return how many bytes it has, {@link #NONE}, or {@link #ENDED}
   * @throws IOException if the link has failed
   */
  int poll(MemorySegment into) throws IOException;

  /**
   * Waits until a message is there, there is room for one that was refused, the link has ended, or
   * {@link #wakeUp} was called; may return early.
   *
   * @param timeoutNs how long at most; with 0 it does not wait, and sees whether the link has ended
   * @throws IOException if the link has failed
   */
  void await(long timeoutNs) throws IOException;

  /** Ends the wait of {@link #await}, or the next one. */
  void wakeUp();

  /**
   * Returns for how long, in nanoseconds, one who waits for an answer had better {@link #poll}
   * again and again before it waits: 0 for not at all.
   */
  default long spinNs() {
    return 0;
  }

  /** Returns how many bytes a message may have at most, which the link itself has as its limit. */
  default int maxMessageBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * Tells the other side, without a message, that the answer to a request has come, and all that
   * came before it.
   *
   * @return whether it was told; false: the link has no place for that, send a message
   * @throws IOException if the link has failed
   */
  default boolean acknowledge(long request) throws IOException {
    return false;
  }

  /** Returns what to look at when the first message gets no answer: a question. */
  default String doubt() {
    return "does the host run?";
  }

  /**
   * Says whether somebody polls again and again, so that the one in {@link #await} need not be
   * woken. After {@code false} the caller has to poll once more.
   */
  default void setPolled(boolean isPolled) {}
}
