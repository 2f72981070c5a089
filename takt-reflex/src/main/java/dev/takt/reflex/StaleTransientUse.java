package dev.takt.reflex;

/**
 * A release used a transient object of an earlier release; found by classes that were woven for
 * debugging.
 */
public final class StaleTransientUse extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes an error and dooms the release that the calling thread runs. */
  public StaleTransientUse(String message) {
    super(message);
  }
}
