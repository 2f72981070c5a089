package dev.takt.bench.rtj;

/**
 * Some frames in a row.
 *
 * @param count how many
 * @param periodNs how long each is, in nanoseconds
 */
record Frames(int count, long periodNs) {
  long durationNs() {
    return count * periodNs;
  }
}
