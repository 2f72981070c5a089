package dev.takt.reflex;

/**
 * A release made more transient objects than the task was given memory for at construction, or
 * asked for more events than {@link RuntimeSettings#maxReleaseEvents()}. The release is undone.
 *
 * <p>Source: Reflexes 2.
 */
public final class TransientMemoryExhausted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes an error and dooms the release that the calling thread runs. */
  public TransientMemoryExhausted(String message) {
    super(message);
  }
}
