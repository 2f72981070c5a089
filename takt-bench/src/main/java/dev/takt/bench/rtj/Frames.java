package dev.takt.bench.rtj;

/**
 * Some frames in a row.
 *
 * @param count how many
 * @param periodNs how long each is, in nanoseconds
 * @param soonNs how long after they are prepared they begin, in nanoseconds; negative: some are
 *     missed
 */
record Frames(int count, long periodNs, long soonNs) {
  /** By then all threads of a block wait for it. */
  private static final long SOON_NS = 10_000_000;

  /** Frames that begin when all threads wait for them. */
  Frames(int count, long periodNs) {
    this(count, periodNs, SOON_NS);
  }

  long durationNs() {
    return count * periodNs;
  }

  Frames plus(int more) {
    return new Frames(count + more, periodNs, soonNs);
  }
}
