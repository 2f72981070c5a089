package dev.takt.session;

/** Checks values against their limits. */
final class SessionLimits {
  private SessionLimits() {}

  static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }
}
