package dev.takt.safety.source;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import org.jspecify.annotations.Nullable;

/**
 * Where a reference goes to that came from a parameter, or from a private array field.
 *
 * @param source the parameter or field
 * @param callee the method that gets it, if it is passed
 * @param index which argument it is, from 0, if it is passed
 */
record Flow(
    VariableElement source, Kind kind, Spot spot, @Nullable ExecutableElement callee, int index) {
  /** What is done with it. */
  enum Kind {
    STORED("is stored"),
    RETURNED("is returned"),
    CAPTURED("is captured"),
    PASSED("is passed on");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }
}
