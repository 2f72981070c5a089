package dev.takt.realtime;

/**
 * Called before and after each release.
 *
 * <p><b>Thread rule:</b> called on the thread that runs the release, possibly on several threads at
 * once for different subjects. It is part of the time-critical path: it must not block, allocate or
 * throw.
 */
@FunctionalInterface
public interface ReleaseListener {
  /**
   * A release begins.
   *
   * @param subject what is released
   * @param dueNs when it was due
   * @param beginNs the time
   */
  default void onBegin(Schedulable subject, long dueNs, long beginNs) {}

  /**
   * A release has ended.
   *
   * @param release its times, how it ended, and whether it has missed its deadline or exceeded its
   *     budget; valid during this call
   */
  void onEnd(EndedRelease release);
}
