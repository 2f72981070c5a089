package dev.takt.reflex;

/**
 * A release was aborted from outside; see {@link TaskControl#abortRelease}. The release is undone
 * and its task goes on.
 */
public final class ReleaseAborted extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes an error and dooms the release that the calling thread runs. */
  public ReleaseAborted(String task, String place) {
    super("task " + task + ": the release was aborted from outside, at " + place);
  }
}
