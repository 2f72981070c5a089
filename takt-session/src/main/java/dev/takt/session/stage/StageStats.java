package dev.takt.session.stage;

/**
 * What a stage has done and has, at one moment. Of items, {@code accepted = handled + failed +
 * givenBack + handling + queued}.
 *
 * @param name the stage's
 * @param state what it does
 * @param queued items in its queue
 * @param capacity how many can be
 * @param handling items that its handler has now
 * @param limit how many it may have at once, queued and in its handler, to meet its target; without
 *     a target, what capacity and batches allow
 * @param accepted items accepted so far
 * @param shed items refused because the target would not be met
 * @param full items refused because the queue was full
 * @param stopped items refused because the stage was being stopped
 * @param handled items whose handler has returned
 * @param failed items whose handler has thrown, or that were left when the stage was closed
 * @param givenBack items that {@link Stage#stop} has returned
 * @param reportErrors how often {@link StageHandler#failed} has thrown
 * @param waiting calls of {@link Stage#put} that wait for room
 * @param workers threads or sessions that it has
 * @param busy how many of them are in the handler
 * @param acceptedPerS items accepted in a second, recently
 * @param waits times from acceptance to the beginning of the handler, recently
 * @param services times that the handler took for a batch, recently
 * @param responses times from acceptance to the end of the handler, recently: what the target is of
 */
public record StageStats(
    String name,
    State state,
    int queued,
    int capacity,
    int handling,
    int limit,
    long accepted,
    long shed,
    long full,
    long stopped,
    long handled,
    long failed,
    long givenBack,
    long reportErrors,
    int waiting,
    int workers,
    int busy,
    long acceptedPerS,
    Times waits,
    Times services,
    Times responses) {
  /** What a stage does. */
  public enum State {
    /** It accepts items and handles them. */
    OPEN,
    /** It accepts none, and handles those that it has. */
    DRAINING,
    /** It accepts and handles none. */
    STOPPED
  }

  /**
   * Times of the last 5 to 10 seconds; all are 0 if there were none. A percentile is up to 1/16 too
   * high, never too low.
   *
   * @param p50Ns the median, in nanoseconds
   * @param p90Ns what 90 of 100 did not exceed, in nanoseconds
   * @param maxNs the longest, in nanoseconds
   */
  public record Times(long p50Ns, long p90Ns, long maxNs) {}
}
