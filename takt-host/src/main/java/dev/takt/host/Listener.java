package dev.takt.host;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

  /** Returns how many connections were accepted so far, with those that were closed at once. */
  long accepted();

  /** Returns how many connections were closed at once, because there were as many as may be. */
  long refused();

  /** Returns how many clients were cut off for a rule or a limit, or by a broken connection. */
  long cutOff();

  /** Returns how many bytes of requests are on their way that are longer than 16 KB. */
  long incomingBytes();

  /** Returns why connections are not accepted now; null: they are. */
  @Nullable Throwable failure();

  /**
   * Lets nobody in any more, and waits until all clients have left, and what they had taken and not
   * confirmed is put back, for which a full space has to get room first.
   *
   * @param timeout how long at most
   * @return whether both is so
   */
  boolean drain(Duration timeout) throws InterruptedException;

  /** Ends all connections after what is being answered, and lets nobody in any more. */
  @Override
  void close();
}
