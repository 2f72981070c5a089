package dev.takt.samples.fix;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The limits of a gateway.
 *
 * @param compId who the gateway is: its SenderCompID
 * @param maxPeers how many peers (BeginString and CompID) have numbers kept, 1 to 64
 * @param maxConnections how many connections there are at once, with those that have not logged on
 * @param maxMessageBytes the longest message that is read, 256 to 65,536; four of them for each
 *     connection
 * @param maxFields how many fields a message may have, 16 to 1,024
 * @param maxGarbledBytes how many bytes in a row may be no whole message before the connection is
 *     ended, 0 to 100,000,000
 * @param maxKept how many sent application messages of a peer are kept for a resend; a request for
 *     older ones ends with a Logout
 * @param maxOrders how many orders a data folder takes; further ones are rejected
 * @param logonTimeout how long a connection may take to log on
 * @param writeTimeout how long one write may take before the connection is closed
 * @param maxClockSkew by how much SendingTime may differ from the gateway's time
 * @param clock the time of day
 */
record FixSettings(
    String compId,
    int maxPeers,
    int maxConnections,
    int maxMessageBytes,
    int maxFields,
    int maxGarbledBytes,
    int maxKept,
    int maxOrders,
    Duration logonTimeout,
    Duration writeTimeout,
    Duration maxClockSkew,
    InstantSource clock) {
  static final FixSettings DEFAULTS =
      new FixSettings(
          "TAKT",
          8,
          64,
          8_192,
          256,
          65_536,
          4_000,
          10_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(120),
          InstantSource.system());

  FixSettings {
    check("maxPeers", maxPeers, 1, 64);
    check("maxConnections", maxConnections, 1, 10_000);
    check("maxMessageBytes", maxMessageBytes, 256, 65_536);
    check("maxFields", maxFields, 16, 1_024);
    check("maxGarbledBytes", maxGarbledBytes, 0, 100_000_000);
    check("maxKept", maxKept, 1, 100_000);
    check("maxOrders", maxOrders, 1, 1_000_000);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** How many events the space has to hold at the worst. */
  int capacity() {
    return maxPeers * (2 + 2 * maxKept) + maxOrders * (2 + OrderFiller.PARTS) + 1_024;
  }

  FixSettings withCompId(String compId) {
    return new FixSettings(
        compId,
        maxPeers,
        maxConnections,
        maxMessageBytes,
        maxFields,
        maxGarbledBytes,
        maxKept,
        maxOrders,
        logonTimeout,
        writeTimeout,
        maxClockSkew,
        clock);
  }

  FixSettings withLimits(int maxPeers, int maxConnections, int maxKept, int maxOrders) {
    return new FixSettings(
        compId,
        maxPeers,
        maxConnections,
        maxMessageBytes,
        maxFields,
        maxGarbledBytes,
        maxKept,
        maxOrders,
        logonTimeout,
        writeTimeout,
        maxClockSkew,
        clock);
  }

  FixSettings withTimeouts(Duration logonTimeout, Duration writeTimeout) {
    return new FixSettings(
        compId,
        maxPeers,
        maxConnections,
        maxMessageBytes,
        maxFields,
        maxGarbledBytes,
        maxKept,
        maxOrders,
        logonTimeout,
        writeTimeout,
        maxClockSkew,
        clock);
  }

  FixSettings withMessages(int maxMessageBytes, int maxFields, int maxGarbledBytes) {
    return new FixSettings(
        compId,
        maxPeers,
        maxConnections,
        maxMessageBytes,
        maxFields,
        maxGarbledBytes,
        maxKept,
        maxOrders,
        logonTimeout,
        writeTimeout,
        maxClockSkew,
        clock);
  }
}
