package dev.takt.testkit;

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
  private static final boolean GIVEN = Long.getLong("takt.seed") != null;
  private static final long SEED = Long.getLong("takt.seed", System.nanoTime() & 0xFFFF_FFFFL);

  static {
    System.out.println("random tests: " + replay(SEED));
  }

  private Seeds() {}

  /** Returns the seed of {@code -Dtakt.seed=}, or else a new one for each JVM, which is printed. */
  public static long seed() {
    return SEED;
  }

  /** Returns whether a seed was given: then only that one should run. */
  public static boolean isReplay() {
    return GIVEN;
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
