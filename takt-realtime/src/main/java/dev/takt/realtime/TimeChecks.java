package dev.takt.realtime;

/** Refuses times that are out of range, by their names. */
final class TimeChecks {
  private TimeChecks() {}

  static void requireNotNegative(String name, long ns) {
    require(name, ns, 0);
  }

  static void requirePositive(String name, long ns) {
    require(name, ns, 1);
  }

  private static void require(String name, long ns, long leastNs) {
    if (ns < leastNs || ns > ReleaseParameters.MAX_NS) {
      throw new IllegalArgumentException(
          name + "=" + ns + " (expected: " + leastNs + " to 2^60 nanoseconds)");
    }
  }
}
