package dev.takt.reflex;

import dev.takt.reflex.woven.TaskMemory;

/**
 * A release cannot go on: it broke a limit of its memory, was ended from outside, or used memory
 * that it does not own.
 *
 * <p>It is an {@link Error}, so that a {@code catch (Exception e)} in a task does not swallow it.
 * Whoever swallows it all the same gains nothing: a release in which one was made is doomed, it
 * cannot commit.
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
    TaskMemory memory = TaskMemory.current();
    if (memory != null) {
      memory.rollbackOnly(this);
    }
  }
}
