package dev.takt.client;

import dev.takt.client.wire.WireLimits;

/**
 * How a program uses the space of a host.
 *
 * @param wire what is sent and received at most; messages are no longer than the host's records
 * @param spinNs for how long a caller polls for its answer before it sleeps, in nanoseconds, 0 for
 *     not at all: a wake-up takes 10 to 50 us more, polling takes a processor
 * @param timeoutNs how long it may take to connect, in nanoseconds: the connection, TLS, and the
 *     host's answers, all together, with further attempts if the first link ends before the host
 *     has answered. When the program connects again, each attempt may take as long, with what it
 *     asks of its requests. Other answers of the host have no limit. The first TLS of a JVM takes
 *     seconds on a busy machine
 * @param reconnectNs for how long a request that finds the link ended, and all others with it, try
 *     to connect again, in nanoseconds, the last attempt included; 0: never, and not when the first
 *     link ends before the host has answered, either. Those that come later try once, and a space
 *     with subscribers goes on trying by itself
 */
public record ClientSettings(WireLimits wire, long spinNs, long timeoutNs, long reconnectNs) {
  /** Polls for 20 us; ten seconds for the connection, and ten to connect again. */
  public static final ClientSettings DEFAULTS =
      new ClientSettings(WireLimits.DEFAULTS, 20_000, 10_000_000_000L, 10_000_000_000L);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with name, value and limit
   */
  public ClientSettings {
    if (spinNs < 0) {
      throw new IllegalArgumentException("spinNs=" + spinNs + " (expected: 0 or more)");
    }
    if (reconnectNs < 0) {
      throw new IllegalArgumentException("reconnectNs=" + reconnectNs + " (expected: 0 or more)");
    }
    if (timeoutNs < 1) {
      throw new IllegalArgumentException("timeoutNs=" + timeoutNs + " (expected: 1 or more)");
    }
  }

  /** Makes settings with the default time to connect again. */
  public ClientSettings(WireLimits wire, long spinNs, long timeoutNs) {
    this(wire, spinNs, timeoutNs, DEFAULTS.reconnectNs);
  }

  /** Returns these settings with other limits of messages. */
  public ClientSettings withWire(WireLimits newWire) {
    return new ClientSettings(newWire, spinNs, timeoutNs, reconnectNs);
  }

  /** Returns these settings with another time of polling. */
  public ClientSettings withSpinNs(long newSpinNs) {
    return new ClientSettings(wire, newSpinNs, timeoutNs, reconnectNs);
  }

  /** Returns these settings with another time for the connection and for its first answers. */
  public ClientSettings withTimeoutNs(long newTimeoutNs) {
    return new ClientSettings(wire, spinNs, newTimeoutNs, reconnectNs);
  }

  /** Returns these settings with another time to connect again. */
  public ClientSettings withReconnectNs(long newReconnectNs) {
    return new ClientSettings(wire, spinNs, timeoutNs, newReconnectNs);
  }
}
