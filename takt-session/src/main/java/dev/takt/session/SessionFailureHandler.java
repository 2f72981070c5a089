package dev.takt.session;

/**
 * Is told of each session that fails; see {@link SessionSettings#withFailureHandler}.
 *
 * <p><b>Thread rule.</b> Called by the session, before its outcome is there, so several may call at
 * once. The session has not ended before this returns. What it throws is logged, and changes
 * nothing.
 */
@FunctionalInterface
public interface SessionFailureHandler {
  /**
   * A session has failed, whether or not somebody waits for its outcome. One that was cancelled is
   * none.
   *
   * @param session which one; its outcome is not there yet
   * @param failure what its code has thrown
   */
  void onFailure(Session<?> session, Throwable failure);
}
