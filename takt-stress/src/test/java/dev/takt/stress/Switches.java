package dev.takt.stress;

import dev.takt.testkit.SharedAccess;
import java.util.SplittableRandom;

/**
 * Changes the running virtual thread at randomly chosen accesses to shared memory; with one carrier
 * the seed decides every interleaving, at a cost of well under a microsecond a change.
 */
public final class Switches implements SharedAccess.Hook {
  private static final int[] ONE_IN = {2, 4, 10, 30};

  private final SplittableRandom random;
  private final int oneIn;
  private final long maxAccesses;
  private boolean isSwitching = true;
  private long accesses;

  /**
   * Makes a hook.
   *
   * @param random where to switch
   * @param maxAccesses how many accesses there can be; more mean that the threads keep each other
   *     from going on
   */
  public Switches(SplittableRandom random, long maxAccesses) {
    this.random = random;
    this.oneIn = ONE_IN[random.nextInt(ONE_IN.length)];
    this.maxAccesses = maxAccesses;
  }

  /** Makes a hook that only bounds the number of accesses. */
  static SharedAccess.Hook bound(long maxAccesses) {
    Switches bound = new Switches(new SplittableRandom(0), maxAccesses);
    bound.isSwitching = false;
    return bound;
  }

  @Override
  public void before(int site) {
    if (!Thread.currentThread().isVirtual()) {
      return;
    }
    if (++accesses > maxAccesses) {
      throw new IllegalStateException("more than " + maxAccesses + " accesses: nobody gets on");
    }
    if (isSwitching && random.nextInt(oneIn) == 0) {
      // Now and then for long, so that the others finish whole transactions meanwhile.
      int times = random.nextInt(40) == 0 ? 60 : 1 + random.nextInt(2);
      for (int i = 0; i < times; i++) {
        Thread.yield();
      }
    }
  }
}
