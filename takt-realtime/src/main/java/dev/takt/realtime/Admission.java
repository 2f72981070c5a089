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
  Admission ALL = request -> AdmissionAnswer.FREE;

  /**
   * Decides. What was admitted is known by its answer from then on, not by its name: two runtimes
   * may have tasks of one name.
   */
  AdmissionAnswer decide(AdmissionRequest request);

  /**
   * Decides about the {@linkplain PassiveServer server} of a runtime, when the first passive task
   * of it is registered.
   *
   * @param first what that task asks for
   * @param asked what the user has set; null: nothing, so that a default is taken
   * @return null: there are no servers here, and each passive task asks by {@link #decide}
   */
  default @Nullable ServerAnswer server(AdmissionRequest first, @Nullable PassiveServer asked) {
    return null;
  }

  /**
   * Returns whether all runtimes have to ask this one while it is {@linkplain #install installed},
   * even those that were given another one: because not all code of the JVM is trusted.
   */
  default boolean isBinding() {
    return false;
  }

  /**
   * Returns the admission of this JVM: what runtimes ask that were not given one of their own;
   * {@link #ALL} unless another one was {@linkplain #install installed}.
   */
  static Admission installed() {
    return InstalledAdmission.present();
  }

  /**
   * Makes an admission that of this JVM, for the runtimes that are made from now on.
   *
   * @return what takes it back
   * @throws IllegalStateException if one is installed that is {@linkplain #isBinding binding}
   */
  static InstalledAdmission install(Admission admission) {
    return InstalledAdmission.install(admission);
  }
}
