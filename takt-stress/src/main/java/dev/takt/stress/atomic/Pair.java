package dev.takt.stress.atomic;

import dev.takt.reflex.woven.AtomicGate;

/**
 * Calls and releases of a {@link PairTask}: what an atomic method or a release does to the field it
 * does to the array element.
 */
public final class Pair {
  private final PairTask task = new PairTask();
  private final AtomicGate gate = Gates.bind(task);

  /** Makes both 0. */
  public Pair() {}

  /** Adds to both, by an atomic method; returns what they were, or -1 if they differed. */
  public int add(int value) {
    return task.add(value);
  }

  /** Reads both, by an atomic method; returns -1 if they differ. */
  public int look() {
    return task.look();
  }

  /** Replaces the array by another one with the same value, by an atomic method. */
  public int renew() {
    return task.renew();
  }

  /** Runs a release that adds to both; returns what they were, or -1 if they differed. */
  public int release(int value) {
    gate.enter();
    int before = task.plus(value);
    gate.exit();
    return before;
  }

  /** Runs a release that adds to both and is undone. */
  public int abortedRelease(int value) {
    gate.enter();
    int before = task.plus(value);
    task.plus(-value);
    gate.exit();
    return before;
  }
}
