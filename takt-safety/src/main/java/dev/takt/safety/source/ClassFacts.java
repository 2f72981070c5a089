package dev.takt.safety.source;

import com.sun.source.tree.ClassTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/**
 * What the source of one class says. It is collected as soon as the compiler has analyzed the class
 * and before it starts to rewrite the tree.
 */
final class ClassFacts {
  final TypeElement type;
  final ClassTree tree;
  final Spot spot;

  /** Whether it stands in a body: a local, or an anonymous class. */
  final boolean local;

  final List<FieldFacts> fields = new ArrayList<>();
  final List<MethodFacts> methods = new ArrayList<>();

  /** Initializers of instance fields and instance blocks: part of each constructor. */
  final MethodFacts initializer;

  /** Initializers of static fields and static blocks: they run at the start, outside tasks. */
  final MethodFacts staticInitializer;

  ClassFacts(TypeElement type, ClassTree tree, Spot spot, boolean local) {
    this.type = type;
    this.tree = tree;
    this.spot = spot;
    this.local = local;
    initializer = new MethodFacts(this, null, spot);
    staticInitializer = new MethodFacts(this, null, spot);
  }

  /** The static fields that hold a lambda or a method reference, or were made with some. */
  final Map<VariableElement, MethodFacts> functions = new LinkedHashMap<>();

  /** The static fields that are a lambda, or a reference to a method of no particular object. */
  final Set<VariableElement> constantFunctions = new HashSet<>();

  /** What else the constants of an enum were made with. */
  final List<TypeMirror> constantArguments = new ArrayList<>();

  /** Returns the facts of a method that this class declares, or null. */
  @Nullable MethodFacts find(ExecutableElement method) {
    for (MethodFacts each : methods) {
      if (method.equals(each.method)) {
        return each;
      }
    }
    return null;
  }

  /**
   * One field.
   *
   * @param spot where it is declared
   */
  record FieldFacts(VariableElement field, Spot spot) {}
}
