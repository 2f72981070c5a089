package dev.takt.session;

import java.lang.System.Logger.Level;

/**
 * Logs failures of one kind, of which there may be any number: the first one, and then one in ten
 * seconds at most, with the number of those that it has left out.
 *
 * <p><b>Thread rule.</b> Any thread.
 */
final class SessionFailureLog {
  private static final long INTERVAL_NS = 10_000_000_000L;

  private boolean hasLogged;
  private long loggedNs;
  private long leftOut;

  /**
   * Tells a failure.
   *
   * @param what has failed, as a sentence
   */
  void warn(String what, Throwable failure) {
    long before;
    synchronized (this) {
      long nowNs = Suspension.now();
      if (hasLogged && nowNs - loggedNs < INTERVAL_NS) {
        leftOut++;
        return;
      }
      hasLogged = true;
      loggedNs = nowNs;
      before = leftOut;
      leftOut = 0;
    }
    String others = before == 0 ? "" : "; %d failures before it were not logged".formatted(before);
    System.getLogger(Sessions.LOG).log(Level.WARNING, what + others, failure);
  }
}
