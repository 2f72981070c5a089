package dev.takt.realtime;

import org.jspecify.annotations.Nullable;

/**
 * Decides, when something with releases is registered, whether it may be: the place for a
 * schedulability analysis.
 *
 * <p><b>Thread rule:</b> the thread that registers; one at a time for each runtime.
 */
@FunctionalInterface
public interface Admission {
  /** Admits everything. */
  Admission ALL = (name, parameters, priority) -> null;

  /**
   * Decides.
   *
   * @param name the name of what is to be released
   * @param parameters when, with deadline and budget
   * @param priority its priority
   * @return null: it is admitted; otherwise why it is not, and the remedy, for people
   */
  @Nullable String refusal(String name, ReleaseParameters parameters, int priority);

  /**
   * Called once when what was admitted is released no more, on any thread.
   *
   * @param name its name
   */
  default void ended(String name) {}
}
