package dev.takt.safety.source;

import dev.takt.safety.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything in the sources of one compilation that breaks a rule.
 *
 * <p>Stable classes are checked wherever they are. The bodies of methods are checked only if a task
 * reaches them, so ordinary code may do what it likes, except get into a task (R16).
 */
final class Analysis {
  private final Kinds kinds;
  private final Sources sources;
  private final AtomicRules.Escapes escapes;
  private final Map<Place, Problem> problems = new LinkedHashMap<>();

  /** One problem a rule and place, however many tasks get there. */
  private record Place(Spot spot, Rule rule) {}

  Analysis(Types types, Elements elements, Sources sources) {
    this.kinds = new Kinds(types, elements, sources);
    this.sources = sources;
    this.escapes = new AtomicRules.Escapes(kinds, sources);
  }

  /**
   * Returns what is wrong, in the order in which it was found: classes first, then bodies.
   *
   * @param complete whether all sources compile; if not, nobody is taken for an outsider
   */
  List<Problem> run(boolean complete) {
    EncapsulationRules encapsulation = new EncapsulationRules(kinds, sources, this::add);
    FieldRules fields = new FieldRules(kinds, this::add);
    ArrayRules arrays = new ArrayRules(kinds, sources, escapes, this::add);
    List<SourceClosure> closures = new ArrayList<>();
    Set<TypeElement> shared = new HashSet<>();
    for (ClassFacts each : sources.all()) {
      if (kinds.isTrusted(each.type)) {
        continue;
      }
      fields.checkCapsules(each);
      arrays.check(each);
      if (kinds.isStable(each.type.asType())) {
        fields.check(each);
      }
      if (kinds.isTask(each.type)) {
        encapsulation.checkTask(each);
        shared.add(each.type);
      }
      if (kinds.isConcreteTask(each.type)) {
        closures.add(new SourceClosure(kinds, sources, each));
      }
    }
    if (!closures.isEmpty()) {
      bodies(closures, shared);
      if (complete) {
        outsiders(closures, shared, encapsulation);
      }
    }
    return List.copyOf(problems.values());
  }

  private void bodies(List<SourceClosure> closures, Set<TypeElement> shared) {
    for (SourceClosure closure : closures) {
      for (ClassFacts each : closure.instances()) {
        if (kinds.isStable(each.type.asType()) && !kinds.isTrusted(each.type)) {
          shared.add(each.type);
        }
      }
      new AtomicRules(kinds, escapes, closure, (problem, at) -> add(problem, closure, at)).check();
      new BodyRules(kinds, sources, closure, (problem, at) -> add(problem, closure, at)).check();
    }
  }

  private void outsiders(
      List<SourceClosure> closures, Set<TypeElement> shared, EncapsulationRules encapsulation) {
    for (ClassFacts each : sources.all()) {
      List<MethodFacts> methods = new ArrayList<>(each.methods);
      methods.add(each.initializer);
      methods.add(each.staticInitializer);
      for (MethodFacts method : methods) {
        if (closures.stream().noneMatch(closure -> closure.contains(method))) {
          encapsulation.checkOutside(method, shared);
        }
      }
    }
  }

  private void add(Problem problem) {
    problems.putIfAbsent(new Place(problem.spot(), problem.rule()), problem);
  }

  private void add(@Nullable Problem problem, SourceClosure closure, MethodFacts method) {
    if (problem != null) {
      add(
          new Problem(
              problem.spot(),
              problem.rule(),
              problem.severity(),
              problem.message() + reachedFrom(closure, method)));
    }
  }

  /** Says how the task gets there, if it is not obvious. */
  private static String reachedFrom(SourceClosure closure, MethodFacts method) {
    List<MethodFacts> path = closure.path(method);
    if (path.size() == 1) {
      return "";
    }
    StringBuilder text = new StringBuilder(" (reached: ");
    for (int i = 0; i < path.size(); i++) {
      text.append(i == 0 ? "" : " -> ").append(path.get(i));
    }
    return text.append(')').toString();
  }
}
