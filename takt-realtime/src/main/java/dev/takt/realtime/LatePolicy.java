package dev.takt.realtime;

/** What becomes of the periods that a late release of a periodic thread has used up. */
public enum LatePolicy {
  /**
   * Leaps over them: the next release is that of the first period whose deadline has not passed
   * yet. The others are counted as skipped. Running them could only miss their deadlines, and make
   * the next ones late too. The default.
   */
  SKIP,
  /**
   * Skips none: each period has its release, a late one at once, until the thread has caught up. As
   * in the RTSJ, and for work where each period's turn must come. A thread that needs longer than
   * its period never catches up, and never sleeps: the processor is all its own if its priority is.
   *
   * <p>Without a miss handler, {@code waitForNextPeriod} of takt-rtsj then returns false, at once,
   * once after each release that missed its deadline; the call after that waits for the next
   * release. (The RTSJ counts a false return as a release of its own in some cases; here it never
   * is one.)
   */
  CATCH_UP
}
