package dev.takt.safety.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.HashSet;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.type.ArrayType;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** R24: notes what is done with references that may be capsules; which ones are, is known later. */
final class CapsuleScanner extends BodyScanner {
  private final MethodFacts into;
  private final Set<Element> innerLocals = new HashSet<>();
  private int lambdas;

  CapsuleScanner(Trees trees, Types types, CompilationUnitTree unit, MethodFacts into) {
    super(trees, types, unit);
    this.into = into;
  }

  @Override
  public @Nullable Void visitNewArray(NewArrayTree tree, @Nullable Void unused) {
    if (trees.getTypeMirror(getCurrentPath()) instanceof ArrayType array
        && !array.getComponentType().getKind().isPrimitive()) {
      into.uses.add(
          new Use.Keep(spot(tree), array.getComponentType(), "is kept in an array in " + into));
    }
    return super.visitNewArray(tree, null);
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    Element local = trees.getElement(getCurrentPath());
    if (lambdas > 0 && local != null) {
      innerLocals.add(local);
    }
    return super.visitVariable(tree, null);
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
    lambdas++;
    for (VariableTree each : tree.getParameters()) {
      Element parameter = elementOf(each);
      if (parameter != null) {
        innerLocals.add(parameter);
      }
    }
    super.visitLambdaExpression(tree, null);
    lambdas--;
    return null;
  }

  @Override
  public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void unused) {
    if (lambdas > 0) {
      captured(trees.getElement(getCurrentPath()), tree);
    }
    return null;
  }

  @Override
  public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
    Set<Element> own = new HashSet<>();
    new TreePathScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitVariable(VariableTree variable, @Nullable Void nothing) {
        Element element = trees.getElement(getCurrentPath());
        if (element != null) {
          own.add(element);
        }
        return super.visitVariable(variable, null);
      }

      @Override
      public @Nullable Void visitIdentifier(IdentifierTree name, @Nullable Void nothing) {
        Element element = trees.getElement(getCurrentPath());
        if (element != null && !own.contains(element)) {
          captured(element, name);
        }
        return null;
      }
    }.scan(getCurrentPath(), null);
    return null;
  }

  private void captured(@Nullable Element element, IdentifierTree tree) {
    if (element != null
        && (element.getKind() == ElementKind.LOCAL_VARIABLE
            || element.getKind() == ElementKind.PARAMETER)
        && !innerLocals.contains(element)
        && !element.asType().getKind().isPrimitive()) {
      into.uses.add(
          new Use.Keep(spot(tree), element.asType(), tree.getName() + " is captured in " + into));
    }
  }
}
