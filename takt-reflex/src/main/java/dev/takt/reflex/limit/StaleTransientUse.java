package dev.takt.reflex.limit;

/**
 * A release used a transient object of an earlier release; found by classes that were woven for
 * debugging.
 */
public final class StaleTransientUse extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes one; the runtime does. */
  public StaleTransientUse(String message) {
    super(message);
  }
}
