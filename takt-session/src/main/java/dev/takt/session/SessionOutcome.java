package dev.takt.session;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * How a session has ended.
 *
 * <p><b>Thread rule.</b> Any thread; immutable.
 *
 * @param <T> what its code returns
 */
public sealed interface SessionOutcome<T extends @Nullable Object> {
  /**
   * Its code has returned.
   *
   * @param value what it returned
   * @param <T> of which type
   */
  record Completed<T extends @Nullable Object>(T value) implements SessionOutcome<T> {}

  /**
   * Its code has thrown an exception or error.
   *
   * @param cause which one
   * @param <T> what the code would have returned
   */
  record Failed<T extends @Nullable Object>(Throwable cause) implements SessionOutcome<T> {}

  /**
   * It was cancelled, and its code has ended by an exception after that.
   *
   * @param cause the exception
   * @param <T> what the code would have returned
   */
  record Cancelled<T extends @Nullable Object>(Throwable cause) implements SessionOutcome<T> {}

  /**
   * Returns what the code returned.
   *
   * @throws ExecutionException with the cause, if the code failed
   * @throws CancellationException if the session was cancelled
   */
  default T value() throws ExecutionException {
    return switch (this) {
      case Completed<T>(T value) -> value;
      case Failed<T>(Throwable cause) -> throw new ExecutionException(cause);
      case Cancelled<T>(Throwable cause) -> {
        CancellationException cancelled = new CancellationException("the session was cancelled");
        cancelled.initCause(cause);
        throw cancelled;
      }
    };
  }
}
