package dev.takt.session;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The pollers of one server: half as many as there are processors, since the sessions that they
 * wake need these, too, but one at least and {@value #MAX_COUNT} at most. Each begins with its
 * first connection. Connections are given to them by turns.
 *
 * <p><b>Guarantees.</b> After {@link #close}, each ends with its last connection. In the place of
 * one that has failed, another begins with the next connection.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
final class ConnectionPollers implements AutoCloseable {
  /** No more than the JDK has, whatever the machine. */
  private static final int MAX_COUNT = 32;

  private final ThreadFactory threads;
  private final String name;
  private final @Nullable ConnectionPoller[] pollers;
  private int turn;
  private volatile boolean isClosed;

  /**
   * Makes a set without any.
   *
   * @param threads makes the virtual thread of each
   * @param name of these threads
   */
  ConnectionPollers(ThreadFactory threads, String name) {
    this.threads = threads;
    this.name = name;
    int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    pollers = new ConnectionPoller[Math.min(half, MAX_COUNT)];
  }

  /** Gives a connection to one of them. */
  synchronized ConnectionPoller.Registration register(PolledConnection connection)
      throws IOException {
    int index = turn;
    turn = (turn + 1) % pollers.length;
    ConnectionPoller poller = pollers[index];
    return (poller == null ? startOrOther(index) : poller).register(connection);
  }

  /** Starts one; if there are no more files or threads, one that is there takes its place. */
  private ConnectionPoller startOrOther(int index) throws IOException {
    try {
      return start(index);
    } catch (IOException | OutOfMemoryError none) {
      for (ConnectionPoller other : pollers) {
        if (other != null) {
          return other;
        }
      }
      throw none;
    }
  }

  private ConnectionPoller start(int index) throws IOException {
    ConnectionPoller poller = new ConnectionPoller(this);
    try {
      Thread thread = threads.newThread(poller::run);
      thread.setName(name);
      thread.start();
    } catch (Throwable noThread) {
      poller.discard();
      throw noThread;
    }
    pollers[index] = poller;
    return poller;
  }

  /** Returns whether pollers are to end with their last connections. */
  boolean isClosed() {
    return isClosed;
  }

  /** Returns whether a poller is to go on; it gets no connection after false. */
  boolean needs(ConnectionPoller poller) {
    return !isClosed || hasConnections(poller);
  }

  private synchronized boolean hasConnections(ConnectionPoller poller) {
    if (poller.hasConnections()) {
      return true;
    }
    remove(poller);
    return false;
  }

  /** Gives no connection to a poller any more. */
  synchronized void remove(ConnectionPoller poller) {
    for (int i = 0; i < pollers.length; i++) {
      if (pollers[i] == poller) {
        pollers[i] = null;
      }
    }
  }

  /** Lets each end with its last connection. */
  @Override
  public synchronized void close() {
    isClosed = true;
    for (ConnectionPoller each : pollers) {
      if (each != null) {
        each.look();
      }
    }
  }
}
