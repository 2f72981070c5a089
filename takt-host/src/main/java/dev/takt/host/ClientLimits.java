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
 */
public record ClientLimits(
    WireLimits wire, int maxTransactions, int maxSubscriptions, int maxWaits) {
  /** 16 transactions, 256 subscriptions, 64 waits. */
  public static final ClientLimits DEFAULTS = new ClientLimits(WireLimits.DEFAULTS, 16, 256, 64);

  /** Checks each limit. */
  public ClientLimits {
    check("maxTransactions", maxTransactions);
    check("maxSubscriptions", maxSubscriptions);
    check("maxWaits", maxWaits);
  }

  private static void check(String name, int value) {
    if (value < 1 || value > 0xFFFF) {
      throw new IllegalArgumentException(name + "=" + value + " (expected: 1 to " + 0xFFFF + ")");
    }
  }
}
