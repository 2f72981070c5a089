package dev.takt.reflex.limit;

/**
 * A release made more transient objects than the task was given memory for at construction, or
 * asked for more events than {@code RuntimeSettings.maxReleaseEvents()}. The release is undone.
 *
 * <p>Source: Reflexes 2.
 */
public final class TransientMemoryExhausted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes one; the runtime does. */
  public TransientMemoryExhausted(String message) {
    super(message);
  }
}
