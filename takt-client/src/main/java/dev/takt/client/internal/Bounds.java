package dev.takt.client.internal;

/** Checks values against their bounds; this module may use no other of Takt that has the like. */
public final class Bounds {
  private Bounds() {}

  /**
   * Checks a value.
   *
   * @param name what the user calls it
   * @throws IllegalArgumentException if it is less than {@code min} or greater than {@code max}
   */
  public static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + "=" + value + " (expected: " + min + " to " + max + ")");
    }
  }
}
