package dev.takt.stress.atomic;

/** The arithmetic of a step. */
final class Steps {
  /** How many cells there are; more than are found without a hash table. */
  static final int CELLS = 12;

  private Steps() {}

  static long mix(long digest, long value) {
    long mixed = (digest ^ value) * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ (mixed >>> 29);
  }

  static double nextMark(double mark, int input) {
    return (mark * 31 + input) % 1_000_003;
  }

  static int first(int input) {
    return Math.floorMod(input, CELLS);
  }

  static int second(int input) {
    return Math.floorMod(input * 7 + 3, CELLS);
  }
}
