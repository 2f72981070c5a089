package dev.takt.safety.source;

import com.sun.source.tree.MethodTree;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.ExecutableElement;
import org.jspecify.annotations.Nullable;

/** What the body of one method does; lambdas count as part of the method that makes them. */
final class MethodFacts {
  final ClassFacts owner;

  /** The method; null for an initializer. */
  final @Nullable ExecutableElement method;

  final Spot spot;
  final List<Use> uses = new ArrayList<>();

  /** What it does where it can only end in a throw. */
  final List<Use> doomed = new ArrayList<>();

  final List<Flow> flows = new ArrayList<>();

  MethodFacts(ClassFacts owner, @Nullable ExecutableElement method, Spot spot) {
    this.owner = owner;
    this.method = method;
    this.spot = spot;
  }

  /** Returns the method's tree, or null for an initializer. */
  @Nullable MethodTree tree() {
    return spot.tree() instanceof MethodTree tree ? tree : null;
  }

  /** Returns the name as people say it: {@code StockBuyer.execute}. */
  @Override
  public String toString() {
    String className = Names.className(owner.type);
    if (method == null) {
      return className + " (initializer)";
    }
    return method.getSimpleName().contentEquals("<init>")
        ? "new " + className
        : className + "." + method.getSimpleName();
  }
}
