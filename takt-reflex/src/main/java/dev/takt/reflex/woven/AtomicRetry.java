package dev.takt.reflex.woven;

/**
 * Unwinds an atomic call whose task was released, or changed by another call, since the call began:
 * it starts again. Made once, without a stack trace.
 *
 * <p>Source: Reflexes 6.4.
 */
public final class AtomicRetry extends Error {
  private static final long serialVersionUID = 1L;

  static final AtomicRetry INSTANCE = new AtomicRetry();

  private AtomicRetry() {
    super("the task has changed since the atomic call began; it starts again", null, false, false);
  }
}
