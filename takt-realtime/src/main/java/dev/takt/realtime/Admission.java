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
  Admission ALL = request -> null;

  /**
   * Decides.
   *
   * @return null: it is admitted; otherwise why it is not, and the remedy, for people
   */
  @Nullable String refusal(AdmissionRequest request);

  /**
   * Called once when what was admitted is released no more, on any thread.
   *
   * @param name its name
   */
  default void ended(String name) {}

  /** Returns what is to be called around each release of what it admits; null: nothing. */
  default @Nullable ReleaseListener listener() {
    return null;
  }

  /**
   * Returns the admission of this JVM: what runtimes ask that were not given one of their own;
   * {@link #ALL} unless another one was {@linkplain #install installed}.
   */
  static Admission installed() {
    return InstalledAdmission.get();
  }

  /** Makes an admission that of this JVM, for the runtimes that are made from now on. */
  static void install(Admission admission) {
    InstalledAdmission.set(admission);
  }
}
