package dev.takt.realtime;

import java.util.Objects;

/**
 * An admission that was {@linkplain Admission#install installed} in this JVM; closing this takes it
 * back.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class InstalledAdmission implements AutoCloseable {
  private static volatile InstalledAdmission present = new InstalledAdmission(Admission.ALL);

  private final Admission admission;

  private InstalledAdmission(Admission admission) {
    this.admission = Objects.requireNonNull(admission, "admission");
  }

  static Admission present() {
    return present.admission;
  }

  static synchronized InstalledAdmission install(Admission admission) {
    if (present.admission.isBinding()) {
      throw new IllegalStateException(
          "an admission is installed that is binding; it must be taken back before another one is"
              + " installed (close the CPU manager)");
    }
    InstalledAdmission installed = new InstalledAdmission(admission);
    present = installed;
    return installed;
  }

  /**
   * Installs {@link Admission#ALL}, unless another one has been installed since. Runtimes that are
   * there keep the admission that they were made with.
   */
  @Override
  public void close() {
    synchronized (InstalledAdmission.class) {
      if (present == this) {
        present = new InstalledAdmission(Admission.ALL);
      }
    }
  }
}
