package dev.takt.host;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A server that lets clients in at an address.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public interface Listener extends AutoCloseable {
  /** Returns where it listens. */
  InetSocketAddress address();

  /** Returns how many connections there are. */
  int clients();

  /**
   * Lets nobody in any more, and waits until all clients have left.
   *
   * @param timeout how long at most
   * @return whether all have left
   */
  boolean drain(Duration timeout) throws InterruptedException;

  /** Ends all connections after what is being answered, and lets nobody in any more. */
  @Override
  void close();
}
