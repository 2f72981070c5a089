package dev.takt.realtime.os;

import java.io.IOException;

/**
 * Makes file descriptors that the kernel signals, and what waits for several at once.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public interface Descriptors {
  /**
   * Makes a counter that a thread can wait for as for a file.
   *
   * @throws IOException if there are no descriptors left; the message says how to get more
   */
  EventFd newEventFd() throws IOException;

  /**
   * Makes what waits for several descriptors at once.
   *
   * @param capacity how many at most, at least 1; each costs 12 bytes
   * @throws IOException if there are no descriptors left; the message says how to get more
   */
  Poller newPoller(int capacity) throws IOException;
}
