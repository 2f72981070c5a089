package dev.takt.reflex;

/** How a release ended. */
public enum ReleaseOutcome {
  /** All that it wrote and took is published. */
  COMMITTED,
  /** It lost against others, again and again, and was undone. */
  CONFLICT,
  /** The task called {@code abort()}; it was undone. */
  ABORTED,
  /**
   * An exception escaped or a limit of the space was reached; it was undone, and {@link
   * TaskControl#failure} says why.
   */
  FAILED
}
