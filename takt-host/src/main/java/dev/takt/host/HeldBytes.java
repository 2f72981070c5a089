package dev.takt.host;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the host keeps in its heap beside the space, up to a limit.
 *
 * <p>Of one client, on all its connections together: events that were taken for it and not
 * confirmed, copies that it is being given, its requests that are in conflict, and the templates of
 * its subscriptions and waits. Each is counted as more than it takes, by the length of its message.
 * Of all clients of an address: what is on its way, of messages that are longer than {@value
 * #SHORT_BYTES} bytes.
 *
 * <p><b>Guarantees:</b> what is more than the limit is refused, but for the first. By {@link
 * #require} connections that ask at the same moment may exceed it by one each, by {@link #tryAdd}
 * not.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> a number.
 */
public final class HeldBytes {
  /** So much there is room for at any time, for each connection and in either direction. */
  public static final int SHORT_BYTES = 1 << 14;

  /** Which setting bounds answers that are on their way, and what can be done. */
  public static final String LEAVING =
      "TcpLimits.maxOutgoingBytes; ask for less at once, read what is answered";

  /** Of an event that is kept, beside what is in its message. */
  private static final int EACH_BYTES = 512;

  private final String client;
  private final long limit;
  private final AtomicLong held = new AtomicLong();

  /**
   * Makes one for all clients of an address, of which nothing is on its way.
   *
   * @param limit how many bytes may be
   */
  public HeldBytes(long limit) {
    this("of any name", limit);
  }

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
   * @throws IllegalStateException if there is not
   */
  void require(int bytes) {
    long present = held.get();
    if (present > 0 && present + bytes > limit) {
      throw new IllegalStateException(
          ("client %s has too much in the host's heap, that it has taken and not confirmed, is"
                  + " being given, subscribes to, waits for or asks for in a conflict: %s bytes, limit=%s,"
                  + " ClientLimits.maxAccountBytes; confirm what has come, read less at once, end"
                  + " subscriptions and waits, or give the host more heap"
                  + " (TAKT_JAVA_FLAGS=\"-Xms4g -Xmx4g\")")
              .formatted(client, present + bytes, limit));
    }
  }

  /**
   * Counts what is to be kept; false if there is no room for it.
   *
   * @param own what is counted of the same already: it is the first if there is nothing else
   */
  public boolean tryAdd(long own, long bytes) {
    long present = held.get();
    while (present <= own || present + bytes <= limit) {
      long before = held.compareAndExchange(present, present + bytes);
      if (before == present) {
        return true;
      }
      present = before;
    }
    return false;
  }

  /**
   * Says that {@link #tryAdd} has found no room.
   *
   * @param what what there is none for
   * @param own as above
   * @param setting the name of the limit, and what can be done beside waiting
   */
  public String noRoom(String what, long own, String setting) {
    return ("the host has no room for %s: %s bytes of others are on their way, limit=%s, %s, try"
            + " again later, or give the host more heap (TAKT_JAVA_FLAGS=\"-Xms4g -Xmx4g\")")
        .formatted(what, held.get() - own, limit, setting);
  }

  /** Counts what is kept; it has been {@linkplain #require required}. */
  void add(long bytes) {
    held.addAndGet(bytes);
  }

  /** Counts what is kept no longer. */
  public void release(long bytes) {
    if (bytes > 0) {
      held.addAndGet(-bytes);
    }
  }

  /** Returns what is counted. */
  public long bytes() {
    return held.get();
  }

  long limit() {
    return limit;
  }
}
