package dev.takt.reflex;

/**
 * Whoever measures releases.
 *
 * <p><b>Thread rule:</b> called on the thread that ran the release, after it, possibly on several
 * threads at once for different tasks. It is part of the time-critical path: it must not block,
 * allocate or throw.
 */
@FunctionalInterface
public interface ReleaseObserver {
  /**
   * A release has ended.
   *
   * @param task the task
   * @param scheduledNs when it should have begun: the release time of an active task, the moment at
   *     which a passive task was found to have a match; by the runtime's clock
   * @param startNs when it began
   * @param endNs when it ended
   * @param outcome how it ended
   */
  void onRelease(
      TaskControl task, long scheduledNs, long startNs, long endNs, ReleaseOutcome outcome);
}
