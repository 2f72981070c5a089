package dev.takt.host;

import dev.takt.client.wire.WireLimits;

/**
 * What one client may have at once.
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
 */
public record ClientLimits(
    WireLimits wire,
    int maxTransactions,
    int maxSubscriptions,
    int maxWaits,
    int maxUnconfirmed,
    long maxTransactionNs) {
  /** 16 transactions of a second, 256 subscriptions, 64 waits, 8,192 events not confirmed. */
  public static final ClientLimits DEFAULTS =
      new ClientLimits(WireLimits.DEFAULTS, 16, 256, 64, 8_192, 1_000_000_000);

  /** Checks each limit. */
  public ClientLimits {
    check("maxTransactions", maxTransactions);
    check("maxSubscriptions", maxSubscriptions);
    check("maxWaits", maxWaits);
    check("maxUnconfirmed", maxUnconfirmed);
    if (maxTransactionNs < 1) {
      throw new IllegalArgumentException(
          "maxTransactionNs=" + maxTransactionNs + " (expected: 1 or more)");
    }
  }

  private static void check(String name, int value) {
    if (value < 1 || value > 0xFFFF) {
      throw new IllegalArgumentException(name + "=" + value + " (expected: 1 to " + 0xFFFF + ")");
    }
  }

  /** Returns these limits with other ones for messages. */
  public ClientLimits withWire(WireLimits newWire) {
    return new ClientLimits(
        newWire, maxTransactions, maxSubscriptions, maxWaits, maxUnconfirmed, maxTransactionNs);
  }

  /** Returns these limits with another time for transactions. */
  public ClientLimits withMaxTransactionNs(long newMaxNs) {
    return new ClientLimits(
        wire, maxTransactions, maxSubscriptions, maxWaits, maxUnconfirmed, newMaxNs);
  }
}
