package dev.takt.session;

import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Starts blocking code as sessions, whatever carries them: {@link Sessions} for use, {@link
 * SteppedSessions} for a caller that decides who runs when.
 *
 * <p><b>Thread rule.</b> That of the implementation.
 */
public interface SessionStarter {
  /**
   * Starts a session.
   *
   * @param name for messages and thread dumps; need not be unique
   * @param code what it runs, once
   * @param <T> what the code returns
   * @throws RejectedExecutionException if there are {@link SessionSettings#maxSessions} sessions,
   *     or they are being drained or stopped; the code is not run then
   */
  <T extends @Nullable Object> Session<T> start(String name, Callable<T> code);
}
