package dev.takt.space;

/**
 * Where the counters of a space begin: all at 0, but for tests that run them across their ends.
 *
 * @param position of the first node of an empty list
 * @param generation of each slot
 * @param epoch the last one of each descriptor
 * @param stamp the last one that was given to an event
 * @param seed of the fingerprints of keys: it decides which ones meet in a bucket
 */
record InitialCounters(long position, long generation, long epoch, long stamp, long seed) {
  static final InitialCounters ZERO = new InitialCounters(0, 0, 0, 0, 0);

  /** Returns where a space begins: at 0, with the seed that was handed in. */
  static InitialCounters fresh() {
    return new InitialCounters(0, 0, 0, 0, Values.SEED);
  }
}
