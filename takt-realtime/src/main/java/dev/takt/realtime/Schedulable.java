package dev.takt.realtime;

import org.jspecify.annotations.Nullable;

/**
 * Something with releases, as others see it: a task, a real-time thread, a handler.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public interface Schedulable {
  /** Returns its name. */
  String name();

  /** Returns its priority; more is more urgent. */
  int priority();

  /** Returns when it is released, and what is expected of a release. */
  ReleaseParameters parameters();

  /** Returns the release that runs now, or null: this is how a supervisor sees one in progress. */
  @Nullable RunningRelease running();
}
