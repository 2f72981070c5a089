package dev.takt.realtime;

import java.util.Objects;

/**
 * What asks for an {@link Admission}.
 *
 * @param name its name
 * @param code its class, which tells where it comes from
 * @param parameters when it is released, with deadline and budget
 * @param priority its priority
 * @param bestEffort whether it asks for no guarantee, and so cannot be refused one
 */
public record AdmissionRequest(
    String name, Class<?> code, ReleaseParameters parameters, int priority, boolean bestEffort) {
  /** Checks that nothing is missing. */
  public AdmissionRequest {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(parameters, "parameters");
  }

  /** Makes one that asks for a guarantee. */
  public AdmissionRequest(String name, Class<?> code, ReleaseParameters parameters, int priority) {
    this(name, code, parameters, priority, false);
  }
}
