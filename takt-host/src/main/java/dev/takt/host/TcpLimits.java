package dev.takt.host;

/**
 * What clients by TCP may have together, and how long they may take.
 *
 * @param maxConnections how many there are at once, 1 to 1,000,000; further ones are closed at once
 * @param messageNs how long a message may take to come whole, HELLO from the beginning of its
 *     connection, in nanoseconds; TLS before it as long again
 * @param idleNs how long a client may send nothing, in nanoseconds, unless it has a subscription or
 *     a take or read that waits; 0: without end
 * @param writeNs how long a client may leave no room for what is sent to it, in nanoseconds
 */
public record TcpLimits(int maxConnections, long messageNs, long idleNs, long writeNs) {
  private static final long S = 1_000_000_000;

  /** 16,384 connections, 10 s for a message, an hour without one, 5 s for room. */
  public static final TcpLimits DEFAULTS = new TcpLimits(1 << 14, 10 * S, 3_600 * S, 5 * S);

  /** Checks each limit. */
  public TcpLimits {
    check("maxConnections", maxConnections, 1, 1_000_000);
    check("messageNs", messageNs, 1, 3_600 * S);
    check("idleNs", idleNs, 0, Long.MAX_VALUE / 2);
    check("writeNs", writeNs, 1, 3_600 * S);
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** Returns these limits with another number of connections. */
  public TcpLimits withMaxConnections(int newMax) {
    return new TcpLimits(newMax, messageNs, idleNs, writeNs);
  }

  /** Returns these limits with another time for a message. */
  public TcpLimits withMessageNs(long newNs) {
    return new TcpLimits(maxConnections, newNs, idleNs, writeNs);
  }

  /** Returns these limits with another time without a message. */
  public TcpLimits withIdleNs(long newNs) {
    return new TcpLimits(maxConnections, messageNs, newNs, writeNs);
  }

  /** Returns these limits with another time without room. */
  public TcpLimits withWriteNs(long newNs) {
    return new TcpLimits(maxConnections, messageNs, idleNs, newNs);
  }
}
