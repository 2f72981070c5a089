package dev.takt.stress.atomic;

/** How a thread outside sees a woven task that keeps everything in stable collections. */
public interface Shelf {
  /** Puts so many of a thing onto the shelf; returns how many there are then. */
  long put(long thing, long amount);

  /** Takes all of a thing away; returns how many there were. */
  long remove(long thing);

  /** Returns how many things there are, and copies all amounts ever put, the last ones first. */
  int history(long[] into);

  /** Returns the sum of all amounts, in the order of the list of things. */
  long digest();

  /** Returns how many releases have committed. */
  long sweeps();
}
