package dev.takt.reflex.limit;

/**
 * A task's stable objects need more memory than the task was given at construction. The release is
 * undone.
 *
 * <p>Source: Reflexes 2.
 */
public final class StableMemoryExhausted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes one; the runtime does. */
  public StableMemoryExhausted(String message) {
    super(message);
  }
}
