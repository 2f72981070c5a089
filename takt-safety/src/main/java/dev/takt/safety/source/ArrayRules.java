package dev.takt.safety.source;

import dev.takt.safety.Rule;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;

/** R11: the private primitive arrays of a stable class are made by it and never leave it. */
final class ArrayRules {
  /** JDK classes whose methods read or write the arrays that they get, and forget them. */
  private static final Set<String> FORGETFUL =
      Set.of(
          "java.lang.System",
          "java.lang.String",
          "java.lang.StringBuilder",
          "java.lang.Math",
          "java.util.Arrays",
          "java.util.Objects");

  private final Kinds kinds;
  private final Sources sources;
  private final AtomicRules.Escapes escapes;
  private final Consumer<Problem> problems;

  ArrayRules(
      Kinds kinds, Sources sources, AtomicRules.Escapes escapes, Consumer<Problem> problems) {
    this.kinds = kinds;
    this.sources = sources;
    this.escapes = escapes;
    this.problems = problems;
  }

  /** Checks a class: a stable one, or one that can see the private fields of a stable one. */
  void check(ClassFacts facts) {
    for (MethodFacts each : facts.methods) {
      check(each);
    }
    check(facts.initializer);
  }

  private void check(MethodFacts method) {
    for (Use use : method.uses) {
      if (use instanceof Use.ArraySet set && isOfStable(set.field()) && !isLent(set, method)) {
        problems.accept(
            Problem.error(
                set.spot(),
                Rule.R11,
                "Array field "
                    + Names.shortName(set.field())
                    + " of a stable class is set to an array that is not made right there"));
      }
    }
    for (Flow each : method.flows) {
      if (isOfStable(each.source()) && leaves(each)) {
        problems.accept(
            Problem.error(
                each.spot(),
                Rule.R11,
                "Array field "
                    + Names.shortName(each.source())
                    + " of a stable class "
                    + each.kind()
                    + (each.callee() == null ? "" : " to " + Names.shortName(each.callee()))));
      }
    }
  }

  private boolean isOfStable(VariableElement source) {
    return source.getEnclosingElement() instanceof TypeElement owner
        && kinds.isStable(owner.asType());
  }

  /** A parameter of an atomic method is a matter of R18. */
  private static boolean isLent(Use.ArraySet set, MethodFacts method) {
    return Kinds.isAtomic(method.method)
        && method.method != null
        && method.method.getParameters().stream().anyMatch(set.sources()::contains);
  }

  private boolean leaves(Flow flow) {
    ExecutableElement callee = flow.callee();
    if (flow.kind() != Flow.Kind.PASSED || callee == null) {
      return true;
    }
    if (!(callee.getEnclosingElement() instanceof TypeElement owner)) {
      return false;
    }
    if (sources.find(owner) == null) {
      return !kinds.isTrusted(owner) && !FORGETFUL.contains(owner.getQualifiedName().toString());
    }
    return escapes.escapesFrom(callee, flow.index(), new HashSet<>());
  }
}
