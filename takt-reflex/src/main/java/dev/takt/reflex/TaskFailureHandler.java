package dev.takt.reflex;

/**
 * Called after a release has failed; see {@link RuntimeSettings#withFailureHandler}.
 *
 * <p><b>Thread rule:</b> called on the thread that ran the release, after it was undone, possibly
 * on several threads at once for different tasks. The task is not released again before it returns.
 * It may allocate and log.
 */
@FunctionalInterface
public interface TaskFailureHandler {
  /**
   * A release has failed.
   *
   * @param task the task; {@link TaskControl#isStopped} returns whether this was one failure too
   *     many
   * @param failure what escaped from the task, the limit it ran into, or what its {@link
   *     dev.takt.realtime.ReleaseListener} has thrown
   */
  void onFailure(TaskControl task, Throwable failure);
}
