package dev.takt.session;

import java.time.Duration;

/**
 * The limits of a set of sessions.
 *
 * @param maxSessions how many there are at once, at most: 1 to 16,777,216. A waiting session costs
 *     less than 1 KB besides its stack, whose used part is kept on the heap
 * @param closeTimeout how long {@link Sessions#close} waits for the code of interrupted sessions to
 *     end
 */
public record SessionSettings(int maxSessions, Duration closeTimeout) {
  /** 65,536 sessions, 10 seconds to close. */
  public static final SessionSettings DEFAULTS =
      new SessionSettings(65_536, Duration.ofSeconds(10));

  /** Checks each limit. */
  public SessionSettings {
    SessionLimits.check("maxSessions", maxSessions, 1, 1 << 24);
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "closeTimeout=" + closeTimeout + " (expected: 0 or longer)");
    }
  }

  /** Returns these settings with another number of sessions. */
  public SessionSettings withMaxSessions(int maxSessions) {
    return new SessionSettings(maxSessions, closeTimeout);
  }

  /** Returns these settings with another time to close. */
  public SessionSettings withCloseTimeout(Duration closeTimeout) {
    return new SessionSettings(maxSessions, closeTimeout);
  }
}
