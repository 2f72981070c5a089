package dev.takt.session;

import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection that carries lines of text, read and written by blocking calls: the
 * network as protocol code sees it (javaflow, "the network abstraction").
 *
 * <p><b>Guarantees.</b> Lines arrive complete, in the order in which they were written, or the
 * reader gets an exception. After the other end has closed, what it wrote before is still read.
 *
 * <p><b>Thread rule.</b> One session reads and one writes at a time; they may be different ones.
 * {@link #close} is for any thread, and ends what waits.
 */
public interface Transport extends AutoCloseable {
  /**
   * Returns the next line, without its end; waits for it.
   *
   * @return the line, or null if the other end has closed and there is no further one
   * @throws java.net.SocketTimeoutException if no line came within the time of the settings. By
   *     {@link TransportSettings#readTimeout} what had come of it is kept for the next call; by
   *     {@link TransportSettings#idleTimeout} this end is closed
   * @throws TransportException if the line is longer than the settings allow, has characters that
   *     are not of its character set, or this end is closed
   * @throws java.io.InterruptedIOException if the session is cancelled; it stays interrupted
   * @throws IOException if the connection is lost otherwise, by a reset for instance
   */
  @Nullable String readLine() throws IOException;

  /**
   * Writes a line; waits until there is room for it.
   *
   * @param line without line end; one that has {@code \n} or {@code \r} in it is refused
   * @throws java.net.SocketTimeoutException if there was no room within the time of the settings
   * @throws TransportException if the line is longer than the settings allow, holds a line end, or
   *     one of both ends is closed
   * @throws java.io.InterruptedIOException if the session is cancelled; it stays interrupted
   */
  void writeLine(String line) throws IOException;

  /**
   * Lets reads go on for which no line has come within the time that closes this end, if it has
   * one; {@link TransportSettings#readTimeout} ends reads all the same. Is for the reader.
   *
   * @param moreNs as that of {@link WaitLimit#excuse}
   */
  void excuseIdle(LongUnaryOperator moreNs);

  /** Closes this end: the other end's reader gets null, its writer an exception. */
  @Override
  void close();
}
