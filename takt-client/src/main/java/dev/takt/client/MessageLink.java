package dev.takt.client;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Carries messages whole and in order, to one other side and back.
 *
 * <p><b>Thread rule:</b> one thread sends at a time and one receives at a time, beside it; {@link
 * #close} any thread, which ends what waits.
 */
public interface MessageLink extends Closeable {
  /** What {@link #receive} returns when nothing can come any more. */
  int ENDED = -1;

  /**
   * Sends a message, waiting for room.
   *
   * @param message begins with it; may be used again afterwards
   * @param length how many bytes it has
   * @throws IOException if the link has ended: the message may have arrived or not
   */
  void send(MemorySegment message, int length) throws IOException;

  /**
   * Receives a message, waiting for one.
   *
   * @param into has room for the largest message
   * @return how many bytes it has, or {@link #ENDED}
   * @throws IOException if the link has failed
   */
  int receive(MemorySegment into) throws IOException;
}
