package dev.takt.realtime.internal;

/** Checks of arguments that must be in a range. */
public final class Ranges {
  private Ranges() {}

  /**
   * Returns the value.
   *
   * @param name what the user calls it
   * @throws IllegalArgumentException if it is less than {@code min} or greater than {@code max}
   */
  public static long check(String name, long value, long min, long max) {
    return check(name, value, min, max, "");
  }

  /**
   * As {@link #check(String, long, long, long)}.
   *
   * @param remedy what the message says after the range
   */
  public static long check(String name, long value, long min, long max, String remedy) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s=%s (expected: %s to %s%s)".formatted(name, value, min, max, remedy));
    }
    return value;
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is less than {@code min}
   */
  public static long checkAtLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(
          "%s=%s (expected: at least %s)".formatted(name, value, min));
    }
    return value;
  }
}
