package dev.takt.testkit;

import org.jspecify.annotations.Nullable;

/**
 * Seed and size of random tests, so that a failure can be replayed and a long run asked for.
 *
 * <p>{@code -Dtakt.seed=N} replays the seed that was printed; {@code -Dtakt.full=true} asks for the
 * long run.
 *
 * <p>The file is in a source folder of its own, because the modules below this one compile it into
 * their tests (see the root pom).
 */
public final class Seeds {
  private static final @Nullable String GIVEN = System.getProperty("takt.seed");
  private static final long SEED =
      GIVEN == null ? System.nanoTime() & 0xFFFF_FFFFL : parse(GIVEN);

  static {
    System.out.println("random tests: " + replay(SEED));
  }

  private Seeds() {}

  private static long parse(String seed) {
    try {
      return Long.decode(seed);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-Dtakt.seed=" + seed + " (expected: a whole number, as it was printed)", e);
    }
  }

  /** Returns the seed of {@code -Dtakt.seed=}, or else a new one for each JVM, which is printed. */
  public static long seed() {
    return SEED;
  }

  /** Returns whether a seed was given: then only that one should run. */
  public static boolean isReplay() {
    return GIVEN != null;
  }

  /** Returns {@code normal}, or {@code full} in the long run. */
  public static int size(int normal, int full) {
    return isFull() ? full : normal;
  }

  /** Returns whether the long run was asked for. */
  public static boolean isFull() {
    return Boolean.getBoolean("takt.full");
  }

  /** Returns what to print with a failure. */
  public static String replay(long seed) {
    return "seed " + seed + " (replay with -Dtakt.seed=" + seed + ")";
  }
}
