package dev.takt.rtsj;

/**
 * Called after a release that did not go as it should: that it missed its deadline, took more than
 * its budget, or allocated.
 *
 * <p><b>Thread rule:</b> called on the thread itself, when the release has ended and before the
 * next one is waited for, so its time is missing from the next release: it must return soon, and
 * must not block. Work that takes longer belongs to another thread: let the handler fire an
 * asynchronous event. A release that does not end is not reported by this; another thread sees it
 * by {@link RealtimeThread#overdueNs}.
 */
@FunctionalInterface
public interface ReleaseHandler {
  /** Does nothing: the counters tell. */
  ReleaseHandler NONE = (thread, release, excess) -> {};

  /**
   * A release has gone wrong.
   *
   * @param thread the thread
   * @param release the number of the release, from 1
   * @param excess by how much: nanoseconds past the deadline, nanoseconds more than the budget, or
   *     bytes allocated
   */
  void handle(RealtimeThread thread, long release, long excess);
}
