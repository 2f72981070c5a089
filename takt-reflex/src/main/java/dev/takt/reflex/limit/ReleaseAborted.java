package dev.takt.reflex.limit;

/**
 * A release was aborted from outside; see {@code TaskControl.abortRelease}. The release is undone
 * and its task goes on.
 */
public final class ReleaseAborted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes one; the runtime does. */
  public ReleaseAborted(String task, String place) {
    super("task " + task + ": the release was aborted from outside, at " + place);
  }
}
