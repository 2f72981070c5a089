package dev.takt.bench.measure;

/** How a thread outside sees the woven {@link dev.takt.bench.programs.FeedTask}. */
public interface Feedable {
  /**
   * Puts the next numbers into the input buffer.
   *
   * @param count how many
   * @return how many were put in all calls; less than {@code count} more than the last time if the
   *     buffer was full: then none was put
   */
  long feed(int count);

  /** Returns how many numbers the releases have read. */
  long read();

  /** Returns how often a release or a call found what cannot be. */
  long violations();
}
