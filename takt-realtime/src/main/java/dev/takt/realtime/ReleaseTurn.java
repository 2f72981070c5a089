package dev.takt.realtime;

/**
 * The right of one thread to run releases, where threads take turns because the operating system
 * gives them no priorities.
 *
 * <p><b>Thread rule:</b> {@link #leave}, {@link #rejoin}: any thread; the rest: the thread that
 * runs the releases.
 */
public interface ReleaseTurn {
  /**
   * Waits for a time and then for its turn. An interrupt is ignored, and cleared: no release runs.
   *
   * @param dueNs the time, by the clock of the scheduler that gives the turns
   * @return false if it takes part no more, and goes by time alone
   */
  boolean await(long dueNs);

  /** Lets the others have their turns, after a release. */
  void giveBack(long nowNs);

  /** Takes part no more; a wait ends. Takes no lock. */
  void leave();

  /** Takes part again after it has left, from the next release on. */
  void rejoin();
}
