package dev.takt.samples.fix;

import java.io.IOException;

/**
 * The bytes of one connection, as the protocol sees them: of a socket; in tests also of a machine
 * that goes down within a write, or of one whose time the test moves.
 *
 * <p><b>Thread rule.</b> One session reads and one writes at a time; they may be different ones.
 * {@link #close} is for any thread, and ends what waits.
 */
interface FixWire extends AutoCloseable {
  /** What {@link #read} returns when the other end has closed. */
  int END = -1;

  /**
   * Reads some bytes; waits for the first of them.
   *
   * @param timeoutNs how long at most, in nanoseconds, more than 0
   * @return how many were read; 0: the time is over; {@link #END}: there will be none
   */
  int read(byte[] into, int from, int length, long timeoutNs) throws IOException;

  /** Writes all of these bytes; waits for room. */
  void write(byte[] bytes) throws IOException;

  /** Tells the other end that nothing more will be written, where that is possible. */
  void endOutput() throws IOException;

  /** Returns the time by which the protocol measures, in nanoseconds. */
  long nanoTime();

  /** Returns who is at the other end, for messages. */
  String address();

  @Override
  void close();
}
