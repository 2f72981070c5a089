package dev.takt.rtsj;

/**
 * Called with what a {@link RealtimeThread}'s body, program or handler has thrown.
 *
 * <p><b>Thread rule:</b> called on the thread that failed, at the end of the release. What it
 * throws itself is dropped.
 */
@FunctionalInterface
public interface ThreadFailureHandler {
  /**
   * Something has failed.
   *
   * @param thread the thread
   * @param release the number of the release, from 1; 0: before the first
   * @param failure what was thrown
   */
  void onFailure(RealtimeThread thread, long release, Throwable failure);
}
