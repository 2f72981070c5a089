package dev.takt.safety.source;

import dev.takt.safety.Rule;
import java.util.Set;
import java.util.function.Consumer;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;

/**
 * R16: nobody outside gets into a task.
 *
 * <p>A public method or field of a task class is one by itself. Everything else is one if code
 * outside Sigma uses it: a method or field of a task, or of a stable class that tasks use.
 */
final class EncapsulationRules {
  private final Kinds kinds;
  private final Sources sources;
  private final Consumer<Problem> problems;

  EncapsulationRules(Kinds kinds, Sources sources, Consumer<Problem> problems) {
    this.kinds = kinds;
    this.sources = sources;
    this.problems = problems;
  }

  /** Checks what a task class, concrete or not, declares. */
  void checkTask(ClassFacts facts) {
    for (MethodFacts each : facts.methods) {
      ExecutableElement method = each.method;
      if (method != null
          && method.getKind() == ElementKind.METHOD
          && method.getModifiers().contains(Modifier.PUBLIC)
          && !method.getModifiers().contains(Modifier.STATIC)
          && !Kinds.isAtomic(method)
          && !overridesRuntime(method, facts.type)) {
        problems.accept(
            Problem.error(
                each.spot,
                Rule.R16,
                "Method " + each + " of a task is public but not atomic: anybody can call it"));
      }
    }
    for (ClassFacts.FieldFacts each : facts.fields) {
      Set<Modifier> modifiers = each.field().getModifiers();
      if (modifiers.contains(Modifier.PUBLIC) && !modifiers.contains(Modifier.STATIC)) {
        problems.accept(
            Problem.error(
                each.spot(),
                Rule.R16,
                "Field "
                    + Names.shortName(each.field())
                    + " of a task is public: anybody can use it"));
      }
    }
  }

  /** Whether a method overrides one that the runtime calls: initialize, execute. */
  private boolean overridesRuntime(ExecutableElement method, TypeElement in) {
    TypeElement task = kinds.elements().getTypeElement(Names.TASK);
    if (task == null) {
      return false;
    }
    for (ExecutableElement each : ElementFilter.methodsIn(task.getEnclosedElements())) {
      if (each.getSimpleName().equals(method.getSimpleName())
          && kinds.elements().overrides(method, each, in)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks a method that no task reaches.
   *
   * @param shared the stable classes that tasks use
   */
  void checkOutside(MethodFacts outside, Set<TypeElement> shared) {
    for (Use use : outside.uses) {
      switch (use) {
        case Use.Call call -> {
          ExecutableElement method = call.target();
          if (method.getKind() == ElementKind.METHOD
              && !method.getModifiers().contains(Modifier.STATIC)
              && !Kinds.isAtomic(method)
              && isInside(method, outside, shared)
              && !(method.getEnclosingElement() instanceof TypeElement owner
                  && overridesRuntime(method, owner))) {
            problems.accept(
                Problem.error(
                    call.spot(),
                    Rule.R16,
                    "Calls "
                        + Names.shortName(method)
                        + " from outside the task: it is not an atomic method"));
          }
        }
        case Use.Read read -> check(read.spot(), read.field(), outside, shared);
        case Use.Write write -> check(write.spot(), write.field(), outside, shared);
        default -> {}
      }
    }
  }

  private void check(
      Spot spot, VariableElement field, MethodFacts outside, Set<TypeElement> shared) {
    if (!field.getModifiers().contains(Modifier.STATIC)
        && field.getKind() == ElementKind.FIELD
        && isInside(field, outside, shared)) {
      problems.accept(
          Problem.error(
              spot, Rule.R16, "Uses field " + Names.shortName(field) + " from outside the task"));
    }
  }

  private boolean isInside(Element member, MethodFacts outside, Set<TypeElement> shared) {
    return member.getEnclosingElement() instanceof TypeElement owner
        && sources.find(owner) != null
        && shared.contains(owner)
        && !isWithin(outside.owner.type, owner);
  }

  /** Whether code stands in a class, in one of its nested or outer classes, or in a subclass. */
  private boolean isWithin(TypeElement code, TypeElement owner) {
    if (kinds.isStable(code.asType())) {
      return true;
    }
    for (Element at = code.getEnclosingElement(); at != null; at = at.getEnclosingElement()) {
      if (at instanceof TypeElement around
          && (around.equals(owner) || kinds.isStable(around.asType()))) {
        return true;
      }
    }
    return false;
  }
}
