package dev.takt.stress.rollback.graph;

import java.lang.invoke.MethodHandles;

/**
 * What the next release is to do. The test writes it between releases, on the thread that runs
 * them.
 */
public final class Case {
  /** How a release is to end. */
  public static final int IDLE = 0;

  public static final int COMMIT = 1;
  public static final int ABORT = 2;
  public static final int THROW = 3;
  public static final int FAULT = 4;
  public static final int CONFLICT_ONCE = 5;
  public static final int CONFLICT_ALWAYS = 6;
  public static final int EXHAUST_TRANSIENT = 7;
  public static final int EXHAUST_STABLE = 8;
  public static final int OVERFLOW = 9;
  public static final int ENDLESS = 10;

  /** The chance of this release. */
  public static volatile long seed;

  /** How it ends: one of the above. */
  public static volatile int end;

  /** After how many steps it does. */
  public static volatile int endStep;

  /** How many steps a release has that commits. */
  public static volatile int steps;

  private Case() {}

  /** For the test, which looks into the classes of this package. */
  public static MethodHandles.Lookup lookup() {
    return MethodHandles.lookup();
  }

  /** Returns the number after a random one: a full period, and all bits of the result are good. */
  public static long next(long random) {
    return random * 6364136223846793005L + 1442695040888963407L;
  }

  /** Returns a number below a limit, from the good bits of a random one. */
  static int below(long random, int limit) {
    return (int) ((random >>> 33) % limit);
  }
}
