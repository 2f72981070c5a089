package dev.takt.samples.trading;

/**
 * How many releases of the seller were in time, without the warm-up.
 *
 * @param misses how many ended past their deadline
 * @param skipped how many were never begun, because their time was over
 * @param periods of how many periods
 */
record Punctuality(long misses, long skipped, long periods) {
  /** Returns how many releases did not meet their deadline. */
  long notMet() {
    return misses + skipped;
  }
}
