package dev.takt.safety.source;

import com.sun.source.tree.MethodTree;
import dev.takt.safety.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** R17, R18 and R30: what ordinary threads run inside a task. */
final class AtomicRules {
  /** Operations on the space, by the class that offers them. */
  private static final Map<String, Set<String>> SPACE_OPERATIONS =
      Map.of(
          Names.TASK,
          Set.of(
              "write",
              "writeNow",
              "take",
              "takeNow",
              "test",
              "testNow",
              "event",
              "subscribe",
              "unsubscribe",
              "abort"),
          "dev.takt.space.Handle",
          Set.of("next", "nextNow", "hasNext", "hasNextNow", "iterator"));

  private final Kinds kinds;
  private final Escapes escapes;
  private final SourceClosure closure;
  private final BiConsumer<Problem, MethodFacts> problems;

  AtomicRules(
      Kinds kinds,
      Escapes escapes,
      SourceClosure closure,
      BiConsumer<Problem, MethodFacts> problems) {
    this.kinds = kinds;
    this.escapes = escapes;
    this.closure = closure;
    this.problems = problems;
  }

  void check() {
    List<MethodFacts> entries = closure.atomicEntries();
    for (MethodFacts each : entries) {
      signature(each);
      borrowed(each);
    }
    for (MethodFacts method : closure.from(entries)) {
      for (Use use : method.uses) {
        if (use instanceof Use.Call call) {
          nested(call, method);
          space(call, method);
        }
      }
    }
  }

  /** R17. */
  private void signature(MethodFacts facts) {
    ExecutableElement method = facts.method;
    MethodTree tree = facts.tree();
    if (method == null || tree == null) {
      return;
    }
    TypeMirror result = method.getReturnType();
    if (result.getKind() == TypeKind.ARRAY
        || result.getKind() != TypeKind.VOID && !mayLeave(result)) {
      problems.accept(
          Problem.error(
              new Spot(facts.spot.unit(), tree.getReturnType()),
              Rule.R17,
              "Atomic method " + facts + " returns " + result),
          facts);
    }
    for (int i = 0; i < method.getParameters().size(); i++) {
      VariableElement each = method.getParameters().get(i);
      if (kinds.isStable(each.asType()) || kinds.isRefImm(each.asType()) == Answer.NO) {
        problems.accept(
            Problem.error(
                new Spot(facts.spot.unit(), tree.getParameters().get(i)),
                Rule.R17,
                "Parameter "
                    + each.getSimpleName()
                    + " of atomic method "
                    + facts
                    + " has type "
                    + each.asType()),
            facts);
      }
    }
  }

  /**
   * Whether an object of the task may go out: values, records (the guard copies them), strangers.
   */
  private boolean mayLeave(TypeMirror type) {
    TypeElement element = Kinds.elementOf(kinds.types().erasure(type));
    return type.getKind().isPrimitive()
        || kinds.isRefImm(type) != Answer.NO
            && !kinds.isStable(type)
            && (element == null
                || element.getKind() == ElementKind.RECORD
                || !closure.makes(element));
  }

  /** R18. Values that the JVM shares anyway may be kept. */
  private void borrowed(MethodFacts facts) {
    if (facts.method == null) {
      return;
    }
    for (VariableElement each : facts.method.getParameters()) {
      if (each.asType().getKind().isPrimitive() || kinds.isValue(each.asType())) {
        continue;
      }
      Flow escape = escapes.find(facts, each, new HashSet<>());
      if (escape != null) {
        problems.accept(
            Problem.error(
                escape.spot(),
                Rule.R18,
                "Parameter "
                    + each.getSimpleName()
                    + " of atomic method "
                    + facts
                    + " "
                    + escape.kind()),
            facts);
      }
    }
  }

  /** R30: one atomic method calls another, of somebody else. */
  private void nested(Use.Call call, MethodFacts method) {
    if (Kinds.isAtomic(call.target())
        && !call.onThis()
        && call.target().getEnclosingElement() instanceof TypeElement owner
        && kinds.isTask(owner)) {
      problems.accept(
          Problem.error(
              call.spot(),
              Rule.R30,
              "Atomic code calls the atomic method " + Names.shortName(call.target())),
          method);
    }
  }

  /** R30: the space is for releases; atomic code runs on an ordinary thread, without one. */
  private void space(Use.Call call, MethodFacts method) {
    ExecutableElement target = call.target();
    if (target.getEnclosingElement() instanceof TypeElement owner
        && SPACE_OPERATIONS
            .getOrDefault(owner.getQualifiedName().toString(), Set.of())
            .contains(target.getSimpleName().toString())) {
      problems.accept(
          Problem.error(
              call.spot(),
              Rule.R30,
              "Atomic code calls "
                  + Names.shortName(target)
                  + ", which belongs to releases: an atomic method has no transaction"),
          method);
    }
  }

  /** Where references go to that somebody lends. */
  static final class Escapes {
    private static final Set<String> KEEPERS =
        Set.of(
            "add",
            "addFirst",
            "addLast",
            "offer",
            "offerFirst",
            "offerLast",
            "push",
            "put",
            "putIfAbsent",
            "set",
            "of",
            "entry");

    private final Sources sources;
    private final Kinds kinds;

    Escapes(Kinds kinds, Sources sources) {
      this.kinds = kinds;
      this.sources = sources;
    }

    /** Returns where a parameter or array field escapes from a method, or null. */
    @Nullable Flow find(MethodFacts method, VariableElement source, Set<VariableElement> seen) {
      for (Flow each : method.flows) {
        if (!each.source().equals(source)) {
          continue;
        }
        if (each.kind() != Flow.Kind.PASSED) {
          return each;
        }
        if (each.callee() != null
            && (keeps(each.callee()) || escapesFrom(each.callee(), each.index(), seen))) {
          return each;
        }
      }
      return null;
    }

    /** Whether a library method puts what it gets into a collection. */
    private boolean keeps(ExecutableElement callee) {
      return callee.getEnclosingElement() instanceof TypeElement owner
          && sources.find(owner) == null
          && kinds.isContainer(owner)
          && KEEPERS.contains(callee.getSimpleName().toString());
    }

    boolean escapesFrom(ExecutableElement callee, int index, Set<VariableElement> seen) {
      if (!(callee.getEnclosingElement() instanceof TypeElement owner)
          || index >= callee.getParameters().size()
          || !seen.add(callee.getParameters().get(index))) {
        return false;
      }
      if (callee.getKind() == ElementKind.CONSTRUCTOR && owner.getKind() == ElementKind.RECORD) {
        return true; // what a record gets, it keeps
      }
      for (ClassFacts each : sources.subtypesOf(owner)) {
        for (MethodFacts body : each.methods) {
          ExecutableElement method = body.method;
          if (method != null
              && method.getSimpleName().equals(callee.getSimpleName())
              && (method.equals(callee) || kinds.elements().overrides(method, callee, each.type))
              && find(body, method.getParameters().get(index), seen) != null) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
