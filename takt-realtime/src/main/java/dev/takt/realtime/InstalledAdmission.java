package dev.takt.realtime;

import java.util.Objects;

/** The admission of this JVM. */
final class InstalledAdmission {
  private static volatile Admission admission = Admission.ALL;

  private InstalledAdmission() {}

  static Admission get() {
    return admission;
  }

  static void set(Admission admission) {
    InstalledAdmission.admission = Objects.requireNonNull(admission, "admission");
  }
}
