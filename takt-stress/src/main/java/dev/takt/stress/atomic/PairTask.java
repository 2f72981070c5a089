package dev.takt.stress.atomic;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

/** A task whose field and array element are always equal. */
final class PairTask extends ReflexTask {
  private int left;
  private int[] right = new int[1];

  /** Adds to both; returns what they were, or -1 if they differed. */
  @Atomic
  int add(int value) {
    return plus(value);
  }

  /** Reads both; returns -1 if they differ. */
  @Atomic
  int look() {
    return both();
  }

  /** Replaces the array by another one with the same value. */
  @Atomic
  int renew() {
    int[] fresh = new int[1];
    fresh[0] = right[0];
    right = fresh;
    return both();
  }

  /** What an atomic call or a release does. */
  int plus(int value) {
    int before = both();
    left += value;
    right[0] += value;
    return before;
  }

  private int both() {
    return left == right[0] ? left : -1;
  }

  @Override
  public void execute() {}
}
