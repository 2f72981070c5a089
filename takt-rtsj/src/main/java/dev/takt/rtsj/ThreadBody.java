package dev.takt.rtsj;

/** What a {@link RealtimeThread} does: in each release, or once. */
@FunctionalInterface
public interface ThreadBody {
  /**
   * Runs on the thread.
   *
   * @param thread the thread
   * @throws Exception if it fails: counted, and reported to the thread's {@link
   *     ThreadFailureHandler}
   */
  void run(RealtimeThread thread) throws Exception;
}
