package dev.takt.safety.source;

import dev.takt.safety.Rule;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import org.jspecify.annotations.Nullable;

/** R14 and R15: the static fields that live code reads and writes. */
final class StaticRules {
  private final Kinds kinds;

  StaticRules(Kinds kinds) {
    this.kinds = kinds;
  }

  /** Returns what is wrong with a read, or null. */
  @Nullable Problem check(Use.Read read) {
    VariableElement field = read.field();
    if (!isForeignStatic(field) || field.getConstantValue() != null) {
      return null;
    }
    if (field.asType().getKind().isPrimitive()) {
      return null;
    }
    if (!field.getModifiers().contains(Modifier.FINAL)) {
      return Problem.error(
          read.spot(),
          Rule.R14,
          "Reads static field " + Names.shortName(field) + ", which is not final");
    }
    return kinds.isRefImm(field.asType()) == Answer.NO
            && !isPreallocated(field)
            && !kinds.isFunctionConstant(field)
        ? Problem.error(
            read.spot(),
            Rule.R14,
            "Reads static field "
                + Names.shortName(field)
                + " of type "
                + field.asType()
                + ", which is not reference-immutable")
        : null;
  }

  /** Returns what is wrong with a write, or null. */
  @Nullable Problem check(Use.Write write) {
    VariableElement field = write.field();
    if (!isForeignStatic(field)) {
      return null;
    }
    if (!field.asType().getKind().isPrimitive()) {
      return Problem.error(
          write.spot(), Rule.R15, "Writes static reference field " + Names.shortName(field));
    }
    return Problem.error(
        write.spot(),
        Rule.R15,
        "Writes static field "
            + Names.shortName(field)
            + ", which all tasks share and no rollback undoes");
  }

  /** R19 permits exceptions that are made once; those with references are reported when thrown. */
  private boolean isPreallocated(VariableElement field) {
    TypeElement type = Kinds.elementOf(field.asType());
    return type != null && kinds.isThrowable(type);
  }

  private boolean isForeignStatic(VariableElement field) {
    return field.getModifiers().contains(Modifier.STATIC)
        && field.getEnclosingElement() instanceof TypeElement
        && !kinds.isTrusted(field);
  }
}
