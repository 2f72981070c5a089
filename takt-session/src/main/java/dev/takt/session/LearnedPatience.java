package dev.takt.session;

/**
 * How long a wait is to look for what it waits for before it suspends its session: learned from the
 * waits so far (javaflow, "suspend only after await"). It takes times and returns durations; it
 * neither waits nor looks at a clock.
 *
 * <p><b>What it learns.</b> For each {@linkplain #CANDIDATES candidate} it keeps a score: what
 * looking for so long would have gained in the recent waits, in nanoseconds. A wait that the time
 * covers gains what suspending costs; the time that is looked in vain is lost. The cost of
 * suspending is learned, too: from the moment at which the wait was over to that at which the
 * session went on. The best candidate with a gain is taken, and none if there is no gain.
 *
 * <p><b>What it trusts.</b> Looking can itself delay what is waited for, if that needs the same
 * processor; then a wait that would have been covered is not. So gains are weighed by the share of
 * the tries that were found to be right: a try that was in vain, though the wait was over soon
 * after it, lessens it by a {@value #DOUBT}th, one that was not raises it by as much, and each wait
 * without a try by a {@value #HOPE}th.
 *
 * <p><b>Invariant.</b> {@code 0 <= patienceNs() <= maxNs}.
 *
 * <p><b>Thread rule.</b> One thread at a time. <b>Memory.</b> 112 bytes. <b>Cost.</b> O(1).
 */
final class LearnedPatience {
  /** How long it may look, in nanoseconds. */
  private static final long[] CANDIDATES = {500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000};

  static final int DOUBT = 8;
  static final int HOPE = 1_024;

  /** A score is forgotten by a 64th with each wait. */
  private static final int MEMORY = 64;

  /** No single wait may count for more. */
  private static final long MOST_NS = 100_000;

  private final double[] scores = new double[CANDIDATES.length];
  private final int candidates;

  private int chosen = -1;

  /** From 0 to 1. */
  private double trust = 1;

  /** What suspending costs, by the waits so far. */
  private long costNs;

  /**
   * Makes one that does not look at first.
   *
   * @param maxNs how long it may look at most, in nanoseconds; less than 500 is never
   */
  LearnedPatience(long maxNs) {
    int count = 0;
    while (count < CANDIDATES.length && CANDIDATES[count] <= maxNs) {
      count++;
    }
    candidates = count;
  }

  /** Returns how long the next wait is to look before it suspends. */
  long patienceNs() {
    return chosen < 0 ? 0 : CANDIDATES[chosen];
  }

  /**
   * Tells of a wait that was over while it looked.
   *
   * @param durationNs how long it took
   */
  void foundLooking(long durationNs) {
    trust += (1 - trust) / DOUBT;
    learn(durationNs);
  }

  /**
   * Tells of a wait that had to suspend.
   *
   * @param durationNs how long it took until what was waited for was there
   * @param resumedNs how long it then took until the session went on
   */
  void suspended(long durationNs, long resumedNs) {
    long cost = Math.clamp(resumedNs, 0, MOST_NS);
    costNs += (cost - costNs) / (costNs == 0 ? 1 : MEMORY);
    if (chosen < 0) {
      trust += (1 - trust) / HOPE;
    } else if (durationNs <= 2 * CANDIDATES[chosen]) {
      trust -= trust / DOUBT;
    }
    learn(durationNs);
  }

  private void learn(long durationNs) {
    int best = -1;
    for (int i = 0; i < candidates; i++) {
      boolean covered = durationNs <= CANDIDATES[i];
      double rightNs = covered ? costNs - Math.max(0, durationNs) : -CANDIDATES[i];
      double gainNs = trust * rightNs - (1 - trust) * CANDIDATES[i];
      scores[i] += gainNs - scores[i] / MEMORY;
      if (scores[i] > (best < 0 ? 0 : scores[best])) {
        best = i;
      }
    }
    chosen = best;
  }
}
