package dev.takt.realtime;

/** How a release ended. */
public enum ReleaseOutcome {
  /** It has done its work; what a task wrote and took is published. */
  COMPLETED,
  /** A task lost against others, again and again, and was undone. */
  CONFLICT,
  /** A task called {@code abort()}, or was aborted from outside; it was undone. */
  ABORTED,
  /** An exception escaped, or a limit was reached; a task was undone. */
  FAILED
}
