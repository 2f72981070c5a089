package dev.takt.reflex.limit;

/**
 * A release cannot go on: it broke a limit of its memory, was ended from outside, or used memory
 * that it does not own.
 *
 * <p>It is an {@code Error}, so that a {@code catch (Exception e)} in a task does not swallow it. A
 * release that swallows it is rolled back all the same.
 */
public abstract sealed class ReleaseError extends Error
    permits StableMemoryExhausted,
        TransientMemoryExhausted,
        ReleaseStopped,
        ReleaseAborted,
        StaleTransientUse {
  private static final long serialVersionUID = 1L;

  ReleaseError(String message) {
    super(message);
  }
}
