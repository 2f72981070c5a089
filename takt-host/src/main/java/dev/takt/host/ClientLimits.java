package dev.takt.host;

import dev.takt.client.wire.WireLimits;
import dev.takt.realtime.internal.Ranges;
import dev.takt.space.SpaceSettings;

/**
 * What one connection of a client may have at once, but for {@code maxAccountBytes}, which is for
 * all of its connections together.
 *
 * @param wire of its messages
 * @param maxTransactions how many transactions, from 1 on; each is one of the space
 * @param maxSubscriptions how many subscriptions, from 1 on; each is one of the space
 * @param maxWaits how many timed takes and reads that wait, from 1 on; each is a subscription of
 *     the space
 * @param maxUnconfirmed how many events that were taken for it may be without its confirmation,
 *     from 1 on; each is kept as a copy
 * @param maxTransactionNs how long a transaction may take, in nanoseconds; then it is rolled back.
 *     Who needs what it has read or claimed gets it before, see {@code EventSpace}
 * @param maxPriority the highest priority of its transactions, from 0 to {@value #MOST_PRIORITY}:
 *     in a conflict the higher one prevails, and those of tasks have 0 to 99
 * @param maxHeldBytes how much of the heap the strings and other objects of one event or template
 *     may take, in bytes, from 512 on, see {@link #fitting}
 * @param maxAccountBytes how much of the heap all connections of the client together may take for
 *     what they have taken and not confirmed, for copies of all that a transaction sees until they
 *     are given, and for the templates of subscriptions and waits, in bytes, from 512 on; each is
 *     counted as twice its message and 512 bytes
 */
public record ClientLimits(
    WireLimits wire,
    int maxTransactions,
    int maxSubscriptions,
    int maxWaits,
    int maxUnconfirmed,
    long maxTransactionNs,
    int maxPriority,
    int maxHeldBytes,
    long maxAccountBytes) {
  /** The highest priority of a transaction of a space. */
  public static final int MOST_PRIORITY = 1_000_000;

  /** How many there may be of what a client counts. */
  private static final int MOST_THINGS = 0xFFFF;

  private static final int LEAST_HELD_BYTES = 512;

  /** How many places a space has beyond its capacity, at most. */
  private static final int MORE_PLACES = 1_536;

  /** Which part of the heap is for what clients have in it beside the space. */
  private static final int ACCOUNT_PART = 8;

  /**
   * 16 transactions of a second and of the lowest priority, 256 subscriptions, 64 waits, 8,192
   * events not confirmed, 16 MB for an event, 64 MB for all of a client.
   */
  public static final ClientLimits DEFAULTS =
      new ClientLimits(WireLimits.DEFAULTS, 16, 256, 64, 8_192, 1_000_000_000, 0, 1 << 24, 1 << 26);

  /** Checks each limit. */
  public ClientLimits {
    Ranges.check("maxTransactions", maxTransactions, 1, MOST_THINGS);
    Ranges.check("maxSubscriptions", maxSubscriptions, 1, MOST_THINGS);
    Ranges.check("maxWaits", maxWaits, 1, MOST_THINGS);
    Ranges.check("maxUnconfirmed", maxUnconfirmed, 1, MOST_THINGS);
    Ranges.checkAtLeast("maxTransactionNs", maxTransactionNs, 1);
    Ranges.check("maxPriority", maxPriority, 0, MOST_PRIORITY);
    Ranges.checkAtLeast("maxHeldBytes", maxHeldBytes, LEAST_HELD_BYTES);
    Ranges.checkAtLeast("maxAccountBytes", maxAccountBytes, LEAST_HELD_BYTES);
  }

  /** Returns these limits with other ones for messages. */
  public ClientLimits withWire(WireLimits newWire) {
    return new ClientLimits(
        newWire,
        maxTransactions,
        maxSubscriptions,
        maxWaits,
        maxUnconfirmed,
        maxTransactionNs,
        maxPriority,
        maxHeldBytes,
        maxAccountBytes);
  }

  /** Returns these limits with another time for transactions. */
  public ClientLimits withMaxTransactionNs(long newMaxNs) {
    return new ClientLimits(
        wire,
        maxTransactions,
        maxSubscriptions,
        maxWaits,
        maxUnconfirmed,
        newMaxNs,
        maxPriority,
        maxHeldBytes,
        maxAccountBytes);
  }

  /** Returns these limits with another highest priority of transactions. */
  public ClientLimits withMaxPriority(int newMaxPriority) {
    return new ClientLimits(
        wire,
        maxTransactions,
        maxSubscriptions,
        maxWaits,
        maxUnconfirmed,
        maxTransactionNs,
        newMaxPriority,
        maxHeldBytes,
        maxAccountBytes);
  }

  /** Returns these limits with another size of what one event has in the heap. */
  public ClientLimits withMaxHeldBytes(int newMaxBytes) {
    return new ClientLimits(
        wire,
        maxTransactions,
        maxSubscriptions,
        maxWaits,
        maxUnconfirmed,
        maxTransactionNs,
        maxPriority,
        newMaxBytes,
        maxAccountBytes);
  }

  /** Returns these limits with another size of what all connections have in the heap. */
  public ClientLimits withMaxAccountBytes(long newMaxBytes) {
    return new ClientLimits(
        wire,
        maxTransactions,
        maxSubscriptions,
        maxWaits,
        maxUnconfirmed,
        maxTransactionNs,
        maxPriority,
        maxHeldBytes,
        newMaxBytes);
  }

  /**
   * Returns these limits with events so small that those of a full space take half of the heap of
   * this JVM at most, and with an eighth of it for what clients have beside the space. If 512 bytes
   * are too many for that, they are allowed all the same: the capacity is too large for the heap
   * then.
   */
  public ClientLimits fitting(SpaceSettings space) {
    return fitting(space, Runtime.getRuntime().maxMemory());
  }

  ClientLimits fitting(SpaceSettings space, long heapBytes) {
    long most = heapBytes / 2 / ((long) space.capacity() + MORE_PLACES);
    return withMaxHeldBytes(Math.clamp(most, LEAST_HELD_BYTES, maxHeldBytes))
        .withMaxAccountBytes(
            Math.clamp(heapBytes / ACCOUNT_PART, LEAST_HELD_BYTES, maxAccountBytes));
  }

  /** Checks the priority of a transaction of the client. */
  void requirePriority(int priority) {
    if (priority < 0 || priority > maxPriority) {
      throw new IllegalArgumentException(
          ("priority=%s (expected: 0 to %s, ClientLimits.maxPriority); the host's owner may allow"
                  + " more: --client-priority, or priority in the file of --tokens")
              .formatted(priority, maxPriority));
    }
  }

  /** Checks what an event or template of the client has in the heap. */
  void requireHeld(long bytes) {
    if (bytes > maxHeldBytes) {
      throw new IllegalArgumentException(
          ("the strings and other objects of an event or template take %s bytes of the host's heap:"
                  + " limit=%s, ClientLimits.maxHeldBytes; send less in one, or give the host more"
                  + " heap (TAKT_JAVA_FLAGS=\"-Xms4g -Xmx4g\") or, by ./takt serve,"
                  + " a smaller --capacity")
              .formatted(bytes, maxHeldBytes));
    }
  }
}
