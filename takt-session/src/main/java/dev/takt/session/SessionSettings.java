package dev.takt.session;

import dev.takt.realtime.internal.Ranges;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a set of sessions, and who is told when one fails.
 *
 * @param maxSessions how many there are at once, at most: 1 to 16,777,216. A waiting session costs
 *     less than 1 KB besides its stack, whose used part is kept on the heap
 * @param closeTimeout how long {@link Sessions#close} waits for the code of interrupted sessions to
 *     end
 * @param failureHandler is told of each session that fails; null: the log. There the first one
 *     comes with its stack trace, and then one in ten seconds at most, as warnings of {@code
 *     dev.takt.session}; but one that fails by an {@code IOException} has lost a connection, as a
 *     rule, and is logged at the level {@code DEBUG}
 */
public record SessionSettings(
    int maxSessions, Duration closeTimeout, @Nullable SessionFailureHandler failureHandler) {
  /** 65,536 sessions, 10 seconds to close, failures are logged. */
  public static final SessionSettings DEFAULTS =
      new SessionSettings(65_536, Duration.ofSeconds(10), null);

  /** Checks each limit. */
  public SessionSettings {
    Ranges.check("maxSessions", maxSessions, 1, 1 << 24);
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "closeTimeout=" + closeTimeout + " (expected: 0 or longer)");
    }
  }

  /** Returns these settings with another number of sessions. */
  public SessionSettings withMaxSessions(int maxSessions) {
    return new SessionSettings(maxSessions, closeTimeout, failureHandler);
  }

  /** Returns these settings with another time to close. */
  public SessionSettings withCloseTimeout(Duration closeTimeout) {
    return new SessionSettings(maxSessions, closeTimeout, failureHandler);
  }

  /** Returns these settings with another handler of failures, or with the log instead. */
  public SessionSettings withFailureHandler(@Nullable SessionFailureHandler failureHandler) {
    return new SessionSettings(maxSessions, closeTimeout, failureHandler);
  }
}
