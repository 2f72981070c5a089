package dev.takt.reflex;

/**
 * A release was ended from outside because it did not end by itself; see {@link
 * ReflexRuntime#stop}. The release is undone and its task is not released again.
 */
public final class ReleaseStopped extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes an error and dooms the release that the calling thread runs. */
  public ReleaseStopped(String task, String place) {
    super(
        "task "
            + task
            + ": the release was ended because it did not end by itself, at "
            + place
            + "; make its loops end, or give stop() more time");
  }
}
