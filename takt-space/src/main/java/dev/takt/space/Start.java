package dev.takt.space;

/**
 * Where the counters of a space begin: all at 0, but for tests that run them across their ends.
 *
 * @param position of the first node of an empty list
 * @param generation of each slot
 * @param epoch the last one of each descriptor
 * @param stamp the last one that was given to an event
 */
record Start(long position, long generation, long epoch, long stamp) {
  static final Start ZERO = new Start(0, 0, 0, 0);
}
