package dev.takt.reflex.stable;

import java.util.Random;

/** The chance of random tests: {@code -Dtakt.seed=N} replays a seed that was printed. */
final class Seed {
  private static final long SEED = Long.getLong("takt.seed", System.nanoTime() & 0xFFFF_FFFFL);

  static {
    System.out.println("stable collections: seed " + SEED + " (-Dtakt.seed=" + SEED + ")");
  }

  private Seed() {}

  static Random random() {
    return new Random(SEED);
  }
}
