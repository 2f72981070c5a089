package dev.takt.safety.source;

import dev.takt.safety.Rule;
import java.util.function.Consumer;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** R8, R9, R11 (declaration), R21, R23, R24: what a stable class may be and have. */
final class FieldRules {
  private final Kinds kinds;
  private final Consumer<Problem> problems;

  FieldRules(Kinds kinds, Consumer<Problem> problems) {
    this.kinds = kinds;
    this.problems = problems;
  }

  /** Checks a stable class. */
  void check(ClassFacts facts) {
    inner(facts);
    inherited(facts);
    for (ClassFacts.FieldFacts each : facts.fields) {
      if (!each.field().getModifiers().contains(Modifier.STATIC)) {
        check(each);
      }
    }
  }

  /** R24: checks any class; stable ones are checked by {@link #check(ClassFacts)} too. */
  void checkCapsules(ClassFacts facts) {
    for (ClassFacts.FieldFacts each : facts.fields) {
      if (kinds.isCapsule(each.field().asType())) {
        problems.accept(
            Problem.error(
                each.spot(),
                Rule.R24,
                "Field "
                    + Names.shortName(each.field())
                    + " holds a capsule, "
                    + each.field().asType()));
      }
    }
  }

  /** R21. */
  private void inner(ClassFacts facts) {
    String name = Names.className(facts.type);
    if (facts.local) {
      problems.accept(
          Problem.error(
              facts.spot,
              Rule.R21,
              facts.type.getSimpleName().isEmpty()
                  ? "An anonymous class is stable: " + facts.type.getSuperclass()
                  : "Local class " + name + " is stable"));
    } else if (Kinds.isInner(facts.type)
        && facts.type.getEnclosingElement() instanceof TypeElement outer
        && !kinds.isStable(outer.asType())) {
      problems.accept(
          Problem.error(
              facts.spot,
              Rule.R21,
              "Stable class "
                  + name
                  + " is not static: it keeps its outer "
                  + outer.getQualifiedName()
                  + ", which is not stable"));
    }
  }

  /** R9. A stable superclass answers for itself. */
  private void inherited(ClassFacts facts) {
    for (TypeElement at = Kinds.elementOf(facts.type.getSuperclass());
        at != null && !kinds.isStable(at.asType());
        at = Kinds.elementOf(at.getSuperclass())) {
      for (VariableElement each : kinds.instanceFields(at)) {
        Rule broken = brokenBy(each);
        if (broken != null) {
          inherited(facts, at, "field " + Names.shortName(each) + " of type " + each.asType());
          return;
        }
      }
      if (kinds.isMutableLibrary(at)) {
        inherited(facts, at, "the hidden fields of " + at.getQualifiedName());
        return;
      }
    }
  }

  private void inherited(ClassFacts facts, TypeElement from, String what) {
    problems.accept(
        Problem.error(
            facts.spot,
            Rule.R9,
            "Stable class "
                + Names.className(facts.type)
                + " inherits "
                + what
                + " from "
                + from.getQualifiedName()));
  }

  private void check(ClassFacts.FieldFacts facts) {
    Rule broken = brokenBy(facts.field());
    if (broken != null) {
      problems.accept(Problem.error(facts.spot(), broken, message(broken, facts.field())));
    }
  }

  /** Returns the rule that a field of a stable class breaks, or null. */
  private @Nullable Rule brokenBy(VariableElement field) {
    TypeMirror type = field.asType();
    if (type.getKind().isPrimitive() || type.getKind() == TypeKind.ERROR) {
      return null;
    }
    if (type.getKind() == TypeKind.ARRAY) {
      return Kinds.isPrimitiveArray(type) && field.getModifiers().contains(Modifier.PRIVATE)
          ? null
          : Rule.R11;
    }
    if (kinds.isStable(type)) {
      return null;
    }
    if (kinds.isCapsule(type)) {
      return null; // a matter of R24, in any class
    }
    if (field.getModifiers().contains(Modifier.FINAL) && kinds.isRefImm(type) != Answer.NO) {
      return null;
    }
    return type.getKind() == TypeKind.TYPEVAR ? Rule.R23 : Rule.R8;
  }

  private String message(Rule rule, VariableElement field) {
    String what = "Field " + Names.shortName(field) + " of a stable class";
    TypeMirror type = field.asType();
    return switch (rule) {
      case R11 ->
          Kinds.isPrimitiveArray(type)
              ? what + " is an array that is not private"
              : what + " has type " + type + ", an array of references";
      case R23 ->
          what + " has type " + type + ", whose erased bound is " + kinds.types().erasure(type);
      default ->
          kinds.isRefImm(type) == Answer.NO
              ? what + " has type " + type + ", which is neither stable nor reference-immutable"
              : what + " has the reference-immutable type " + type + " but is not final";
    };
  }
}
