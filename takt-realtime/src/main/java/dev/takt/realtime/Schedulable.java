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

  /**
   * Returns the release that runs now; null: none, or it ended during this call. A task without
   * deadline, budget and listener takes no times: then {@code dueNs} and {@code beginNs} are the
   * time at which this method has seen the release first, so it has run for so long at least.
   */
  @Nullable RunningRelease running();
}
