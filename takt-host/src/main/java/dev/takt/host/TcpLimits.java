package dev.takt.host;

import dev.takt.realtime.internal.Ranges;

/**
 * What clients by TCP may have together, and how long they may take.
 *
 * @param maxConnections how many there are at once, 1 to 1,000,000; further ones are closed at once
 * @param messageNs how long a message may take to come whole, HELLO from the beginning of its
 *     connection, in nanoseconds; TLS before it as long again
 * @param idleNs how long a client may send nothing, in nanoseconds, unless it has a subscription or
 *     a take or read that waits; 0: without end
 * @param writeNs how long a client may leave no room for what is sent to it, in nanoseconds
 * @param maxIncomingBytes how much of the heap the requests may take that are on their way and
 *     longer than 16 KB, of all connections together, in bytes, from 1 on; others are refused
 *     meanwhile, but for a single one. Texts count twice. See {@link #fitting}
 * @param maxOutgoingBytes how much of the heap the answers may take that are on their way and
 *     longer than 16 KB, of all connections together; as above
 */
public record TcpLimits(
    int maxConnections,
    long messageNs,
    long idleNs,
    long writeNs,
    long maxIncomingBytes,
    long maxOutgoingBytes) {
  private static final long S = 1_000_000_000;

  /** Which part of the heap is for what is on its way, in each direction. */
  private static final int WAY_PART = 16;

  /** 16,384 connections, 10 s for a message, an hour without one, 5 s for room, 64 MB each way. */
  public static final TcpLimits DEFAULTS =
      new TcpLimits(1 << 14, 10 * S, 3_600 * S, 5 * S, 1 << 26, 1 << 26);

  /** Checks each limit. */
  public TcpLimits {
    Ranges.check("maxConnections", maxConnections, 1, 1_000_000);
    Ranges.check("messageNs", messageNs, 1, 3_600 * S);
    Ranges.check("idleNs", idleNs, 0, Long.MAX_VALUE / 2);
    Ranges.check("writeNs", writeNs, 1, 3_600 * S);
    Ranges.checkAtLeast("maxIncomingBytes", maxIncomingBytes, 1);
    Ranges.checkAtLeast("maxOutgoingBytes", maxOutgoingBytes, 1);
  }

  /** Returns these limits with another number of connections. */
  public TcpLimits withMaxConnections(int newMax) {
    return new TcpLimits(newMax, messageNs, idleNs, writeNs, maxIncomingBytes, maxOutgoingBytes);
  }

  /** Returns these limits with another time for a message. */
  public TcpLimits withMessageNs(long newNs) {
    return new TcpLimits(
        maxConnections, newNs, idleNs, writeNs, maxIncomingBytes, maxOutgoingBytes);
  }

  /** Returns these limits with another time without a message. */
  public TcpLimits withIdleNs(long newNs) {
    return new TcpLimits(
        maxConnections, messageNs, newNs, writeNs, maxIncomingBytes, maxOutgoingBytes);
  }

  /** Returns these limits with another time without room. */
  public TcpLimits withWriteNs(long newNs) {
    return new TcpLimits(
        maxConnections, messageNs, idleNs, newNs, maxIncomingBytes, maxOutgoingBytes);
  }

  /** Returns these limits with another size of what is on its way. */
  public TcpLimits withMaxIncomingBytes(long newMaxBytes) {
    return new TcpLimits(maxConnections, messageNs, idleNs, writeNs, newMaxBytes, maxOutgoingBytes);
  }

  /** Returns these limits with another size of answers that are on their way. */
  public TcpLimits withMaxOutgoingBytes(long newMaxBytes) {
    return new TcpLimits(maxConnections, messageNs, idleNs, writeNs, maxIncomingBytes, newMaxBytes);
  }

  /** Returns these limits with a sixteenth of the heap of this JVM at most for each way. */
  public TcpLimits fitting() {
    long most = Runtime.getRuntime().maxMemory() / WAY_PART;
    return withMaxIncomingBytes(Math.min(most, maxIncomingBytes))
        .withMaxOutgoingBytes(Math.min(most, maxOutgoingBytes));
  }
}
