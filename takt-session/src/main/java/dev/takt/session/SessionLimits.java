package dev.takt.session;

import java.time.Duration;

/** Checks values against their limits. */
final class SessionLimits {
  private SessionLimits() {}

  static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** Returns a duration in nanoseconds, zero at least; one beyond 146 years as without end. */
  static long nanos(Duration duration) {
    if (duration.compareTo(Duration.ofNanos(Suspension.FOR_EVER_NS)) >= 0) {
      return Suspension.FOR_EVER_NS;
    }
    return duration.isNegative() ? 0 : duration.toNanos();
  }
}
