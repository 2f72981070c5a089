package dev.takt.safety.javac;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.reach.Closure;
import java.util.List;

/**
 * A conversion whose type arguments are not checked (R10), wherever it is.
 *
 * @param message what is wrong
 * @param place where
 * @param owner the class whose method has it, by internal name
 * @param method the method's name, {@code <init>} for constructors and initializers of objects
 * @param parameters how many parameters the method has in the source; -1 for any
 */
record Conversion(
    String message, SourceLocation place, String owner, String method, int parameters) {
  /** Returns whether it is in code that a task reaches. */
  boolean isIn(Closure closure) {
    return closure.methods().keySet().stream()
        .anyMatch(each -> each.owner().equals(owner) && each.name().equals(method) && mayBe(each));
  }

  private boolean mayBe(MethodId id) {
    return parameters < 0
        || java.lang.constant.MethodTypeDesc.ofDescriptor(id.descriptor()).parameterCount()
            == parameters;
  }

  Finding finding() {
    return new Finding(Rule.R10, Severity.ERROR, message, place, null, List.of());
  }
}
