package dev.takt.reflex.stable;

/** How elements are divided into chunks: 64 each, and the last one has what is left. */
final class Chunks {
  static final int SHIFT = 6;
  static final int SIZE = 1 << SHIFT;
  static final int MASK = SIZE - 1;

  private Chunks() {}

  /** Returns how many chunks it takes. */
  static int count(int length) {
    return (length + MASK) >> SHIFT;
  }

  /** Returns the number of elements in a chunk. */
  static int lengthOf(int chunk, int length) {
    return Math.min(SIZE, length - (chunk << SHIFT));
  }
}
