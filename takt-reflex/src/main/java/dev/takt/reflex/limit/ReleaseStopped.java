package dev.takt.reflex.limit;

/**
 * A release was ended from outside because it did not end by itself; see {@code
 * ReflexRuntime.stop}. The release is undone and its task is not released again.
 */
public final class ReleaseStopped extends ReleaseError {
  private static final long serialVersionUID = 1L;

  /** Makes one; the runtime does. */
  public ReleaseStopped(String task, String place) {
    super(
        ("task %s: the release was ended because it did not end by itself, at %s; make "
                + "its loops end, or give stop() more time")
            .formatted(task, place));
  }
}
