package dev.takt.testkit;

/**
 * Where random tests get their seed and their size from, so that a failure can be replayed and a
 * long run asked for.
 *
 * <p>{@code -Dtakt.seed=N} replays the seed that a failing test printed; {@code -Dtakt.full=true}
 * asks for the long run.
 */
public final class Seeds {
  private Seeds() {}

  /** Returns the seed of {@code -Dtakt.seed=}, or a new one. */
  public static long seed() {
    Long given = Long.getLong("takt.seed");
    return given != null ? given : System.nanoTime() & 0xFFFF_FFFFL;
  }

  /** Returns whether a seed was given: then only that one should run. */
  public static boolean isReplay() {
    return Long.getLong("takt.seed") != null;
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
