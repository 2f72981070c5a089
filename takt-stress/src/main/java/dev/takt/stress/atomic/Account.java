package dev.takt.stress.atomic;

/**
 * A task whose every step depends on all its memory: fields, an array and objects that calls and
 * releases make. So the numbers of the steps give an order in which each of them must be what a
 * serial run makes of it.
 */
public interface Account {
  /**
   * What a step or a look found.
   *
   * @param number how many steps had been made, with this one
   * @param digest what the memory was, after this one
   */
  record Seen(int number, long digest) {}

  /** Makes a step by an atomic method. */
  Seen step(int input);

  /** Looks by an atomic method. */
  Seen look();

  /** Makes a step by an atomic method that then throws; returns whether it did. */
  boolean failedStep(int input);

  /** Makes a step in a release. */
  Seen release(int input);

  /** Makes a step in a release that is undone; returns what it was before. */
  Seen abortedRelease(int input);
}
