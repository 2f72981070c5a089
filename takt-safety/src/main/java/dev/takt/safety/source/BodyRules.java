package dev.takt.safety.source;

import dev.takt.safety.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** What the live bodies of one task do: statics, library calls, monitors, throws, allocations. */
final class BodyRules {
  private final Kinds kinds;
  private final Sources sources;
  private final SourceClosure closure;
  private final StaticRules statics;
  private final CallRules calls;
  private final BiConsumer<Problem, MethodFacts> problems;

  BodyRules(
      Kinds kinds,
      Sources sources,
      SourceClosure closure,
      BiConsumer<Problem, MethodFacts> problems) {
    this.kinds = kinds;
    this.sources = sources;
    this.closure = closure;
    this.problems = problems;
    statics = new StaticRules(kinds);
    calls = new CallRules(kinds, sources);
  }

  void check() {
    Set<MethodFacts> steady =
        Kinds.hasAnnotation(closure.task().type, Names.NO_ALLOC)
            ? closure.from(closure.steadyEntries())
            : Set.of();
    for (MethodFacts method : closure.methods()) {
      if (kinds.isTrusted(method.owner.type)) {
        continue;
      }
      declared(method);
      aborting(method.doomed, method);
      for (Use use : method.uses) {
        Problem problem = check(use, method, steady);
        if (problem != null) {
          problems.accept(problem, method);
        }
      }
    }
    for (MethodFacts method : closure.abortMethods()) {
      if (!kinds.isTrusted(method.owner.type)) {
        aborting(method.uses, method);
        aborting(method.doomed, method);
      }
    }
    for (ClassFacts each : closure.instances()) {
      finalizer(each);
    }
  }

  private @Nullable Problem check(Use use, MethodFacts method, Set<MethodFacts> steady) {
    return switch (use) {
      case Use.Read read -> statics.check(read);
      case Use.Write write -> statics.check(write);
      case Use.Call call -> calls.check(call);
      case Use.New made -> calls.check(made);
      case Use.Function function -> calls.check(function);
      case Use.Throw thrown -> check(thrown, method);
      case Use.Offence offence ->
          new Problem(offence.spot(), offence.rule(), offence.severity(), offence.message());
      case Use.Allocation made ->
          steady.contains(method) ? Problem.error(made.spot(), made.rule(), made.message()) : null;
      case Use.Keep keep ->
          kinds.isCapsule(keep.type())
              ? Problem.error(
                  keep.spot(), Rule.R24, "Capsule " + keep.type() + ": " + keep.message())
              : null;
      case Use.Cast _, Use.ArraySet _, Use.Text _ -> null;
    };
  }

  /** On its way to a throw a task may allocate and put texts together; the rest holds there too. */
  private void aborting(List<Use> uses, MethodFacts method) {
    for (Use use : uses) {
      Problem problem =
          switch (use) {
            case Use.Read read -> statics.check(read);
            case Use.Write write -> statics.check(write);
            case Use.Call call -> CallRules.isText(call.target()) ? null : calls.check(call);
            default -> null;
          };
      if (problem != null) {
        problems.accept(problem, method);
      }
    }
  }

  private void declared(MethodFacts facts) {
    ExecutableElement method = facts.method;
    if (method != null && method.getModifiers().contains(Modifier.SYNCHRONIZED)) {
      problems.accept(
          Problem.error(
              facts.spot, Rule.R5, "Method " + facts + " is synchronized: it takes a monitor"),
          facts);
    }
  }

  private void finalizer(ClassFacts facts) {
    for (MethodFacts each : facts.methods) {
      if (each.method != null
          && each.method.getSimpleName().contentEquals("finalize")
          && each.method.getParameters().isEmpty()) {
        problems.accept(
            Problem.error(
                each.spot,
                Rule.R4,
                "Class " + Names.className(facts.type) + " overrides finalize()"),
            each);
      }
    }
  }

  /** R19: an exception with references into the release leaves it. */
  private @Nullable Problem check(Use.Throw thrown, MethodFacts from) {
    VariableElement field = referenceOf(thrown.type());
    return field != null && leavesTask(thrown.type(), from)
        ? Problem.error(
            thrown.spot(),
            Rule.R19,
            "Exception "
                + thrown.type()
                + " can leave the task, and refers to an object of the release by its field "
                + field.getSimpleName())
        : null;
  }

  /** Returns a field of an application's exception that is not reference-immutable, or null. */
  private @Nullable VariableElement referenceOf(TypeMirror exception) {
    for (TypeElement at = Kinds.elementOf(kinds.types().erasure(exception));
        at != null && !kinds.isJdk(at);
        at = Kinds.elementOf(at.getSuperclass())) {
      for (VariableElement each : kinds.instanceFields(at)) {
        boolean fixed =
            each.asType().getKind().isPrimitive()
                || each.getModifiers().contains(Modifier.FINAL) && isStranger(each.asType());
        if (!fixed) {
          return each;
        }
      }
    }
    return null;
  }

  /** Whether a type is reference-immutable, and none of the task's own objects has it. */
  private boolean isStranger(TypeMirror type) {
    TypeElement element = Kinds.elementOf(kinds.types().erasure(type));
    return kinds.isRefImm(type) != Answer.NO
        && !kinds.isStable(type)
        && (element == null || !closure.makes(element));
  }

  /** Whether no caller on some way up from a method catches an exception. */
  private boolean leavesTask(TypeMirror exception, MethodFacts from) {
    return leavesTask(exception, from, new HashSet<>());
  }

  private boolean leavesTask(TypeMirror exception, MethodFacts from, Set<MethodFacts> seen) {
    if (closure.isReleaseEntry(from)) {
      return true;
    }
    if (!seen.add(from)) {
      return false;
    }
    for (SourceClosure.Edge each : closure.callersOf(from)) {
      boolean caught =
          each.handlers().stream().anyMatch(type -> kinds.types().isSubtype(exception, type));
      if (!caught && leavesTask(exception, each.caller(), seen)) {
        return true;
      }
    }
    return false;
  }
}
