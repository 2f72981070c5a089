package dev.takt.reflex;

/**
 * A task's stable objects need more memory than the task was given at construction. The release is
 * undone.
 *
 * <p>Source: Reflexes 2.
 */
public final class StableMemoryExhausted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes an error and dooms the release that the calling thread runs. */
  public StableMemoryExhausted(String message) {
    super(message);
  }
}
