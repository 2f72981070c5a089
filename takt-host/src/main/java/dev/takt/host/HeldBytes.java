package dev.takt.host;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the host keeps in its heap beside the space, up to a limit.
 *
 * <p>Of one client, on all its connections together: events that were taken for it and not
 * confirmed, copies that it is being given, and the templates of its subscriptions and waits. Each
 * is counted as more than it takes, by the length of its message. Of all clients of a {@link
 * TcpServer}: messages that are on their way.
 *
 * <p><b>Guarantees:</b> what is more than the limit is refused, but for the first. By {@link
 * #require} connections that ask at the same moment may exceed it by one each, by {@link #tryAdd}
 * not.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> a number.
 */
final class HeldBytes {
  /** Of an event that is kept, beside what is in its message. */
  private static final int EACH_BYTES = 512;

  private final String client;
  private final long limit;
  private final AtomicLong held = new AtomicLong();

  /**
   * Makes one for a client that has nothing.
   *
   * @param client its name, for messages
   * @param limit how many bytes it may have
   */
  HeldBytes(String client, long limit) {
    this.client = client;
    this.limit = limit;
  }

  /**
   * Returns as how much an event or template is counted.
   *
   * @param messageBytes the length of the message that it is in; characters that are no ASCII take
   *     two bytes each of the heap
   */
  static int of(int messageBytes) {
    return EACH_BYTES + 2 * messageBytes;
  }

  /**
   * Checks that there is room for something more.
   *
   * @param pending what is to be added, too, and is not yet
   * @throws IllegalStateException if there is not
   */
  void require(long pending, int bytes) {
    long present = held.get() + pending;
    if (present > 0 && present + bytes > limit) {
      throw new IllegalStateException(
          ("client %s has too much in the host's heap, that it has taken and not confirmed, is"
                  + " being given, subscribes to or waits for: %s bytes, limit=%s,"
                  + " ClientLimits.maxAccountBytes; confirm what has come, read less at once, end"
                  + " subscriptions and waits, or give the host more heap"
                  + " (TAKT_JAVA_FLAGS=\"-Xms4g -Xmx4g\")")
              .formatted(client, present + bytes, limit));
    }
  }

  /** Counts what is to be kept; false if there is no room for it. */
  boolean tryAdd(long bytes) {
    long present = held.get();
    while (present <= 0 || present + bytes <= limit) {
      long before = held.compareAndExchange(present, present + bytes);
      if (before == present) {
        return true;
      }
      present = before;
    }
    return false;
  }

  /** Counts what is kept; it has been {@linkplain #require required}. */
  void add(long bytes) {
    held.addAndGet(bytes);
  }

  /** Counts what is kept no longer. */
  void release(long bytes) {
    if (bytes > 0) {
      held.addAndGet(-bytes);
    }
  }

  long bytes() {
    return held.get();
  }

  long limit() {
    return limit;
  }
}
