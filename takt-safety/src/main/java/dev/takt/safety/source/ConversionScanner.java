package dev.takt.safety.source;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import java.util.List;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** R10: casts, conversions and calls whose type arguments nobody checks. */
final class ConversionScanner extends BodyScanner {
  private final MethodFacts into;

  ConversionScanner(Trees trees, Types types, CompilationUnitTree unit, MethodFacts into) {
    super(trees, types, unit);
    this.into = into;
  }

  private void add(Tree tree, String message) {
    into.uses.add(new Use.Offence(spot(tree), Rule.R10, Severity.ERROR, message));
  }

  @Override
  public @Nullable Void visitTypeCast(TypeCastTree tree, @Nullable Void unused) {
    TypeMirror from = typeOf(tree.getExpression());
    TypeMirror to = typeOf(tree.getType());
    ExpressionTree bare = withoutParentheses(tree.getExpression());
    boolean function = bare instanceof LambdaExpressionTree || bare instanceof MemberReferenceTree;
    if (from != null && to != null && !function && isUnchecked(from, to)) {
      add(tree, "An unchecked cast from " + from + " to " + to + " in " + into);
    }
    return super.visitTypeCast(tree, null);
  }

  private boolean isUnchecked(TypeMirror from, TypeMirror to) {
    if (from.getKind() == TypeKind.NULL
        || from.getKind().isPrimitive()
        || to.getKind().isPrimitive()
        || types.isSubtype(from, to)) {
      return false;
    }
    return switch (to.getKind()) {
      case TYPEVAR -> true;
      case ARRAY ->
          from.getKind() != TypeKind.ARRAY
              ? hasArguments(((ArrayType) to).getComponentType())
              : isUnchecked(
                  ((ArrayType) from).getComponentType(), ((ArrayType) to).getComponentType());
      case DECLARED ->
          hasArguments(to)
              && !(from instanceof DeclaredType declared
                  && !declared.getTypeArguments().isEmpty()
                  && types.isSubtype(to, from));
      default -> false;
    };
  }

  /** Whether a type has something that is gone at run time. */
  private static boolean hasArguments(TypeMirror type) {
    return type.getKind() == TypeKind.TYPEVAR
        || type instanceof DeclaredType declared
            && declared.getTypeArguments().stream().anyMatch(each -> !isUnbounded(each));
  }

  private static boolean isUnbounded(TypeMirror argument) {
    return argument instanceof WildcardType wildcard
        && wildcard.getExtendsBound() == null
        && wildcard.getSuperBound() == null;
  }

  private static boolean isRaw(@Nullable TypeMirror type) {
    return type instanceof DeclaredType declared
        && declared.getTypeArguments().isEmpty()
        && declared.asElement() instanceof TypeElement element
        && !element.getTypeParameters().isEmpty();
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    if (tree.getInitializer() != null) {
      convert(tree.getInitializer(), trees.getTypeMirror(getCurrentPath()));
    }
    return super.visitVariable(tree, null);
  }

  @Override
  public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void unused) {
    convert(tree.getExpression(), typeOf(tree.getVariable()));
    return super.visitAssignment(tree, null);
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void unused) {
    if (typeOf(tree.getMethodSelect()) instanceof ExecutableType type) {
      convertAll(tree.getArguments(), type);
    }
    if (tree.getMethodSelect() instanceof MemberSelectTree select
        && elementOf(select) instanceof ExecutableElement method
        && !method.getModifiers().contains(Modifier.STATIC)
        && trees.getTypeMirror(new TreePath(getCurrentPath(), select.getExpression()))
            instanceof DeclaredType receiver
        && isRaw(receiver)
        && method.getParameters().stream().anyMatch(each -> hasArguments(each.asType()))) {
      add(
          select,
          "An unchecked call of "
              + Names.shortName(method)
              + " on the raw type "
              + receiver
              + " in "
              + into);
    }
    return super.visitMethodInvocation(tree, null);
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void unused) {
    if (elementOf(tree) instanceof ExecutableElement constructor
        && constructor.asType() instanceof ExecutableType type) {
      convertAll(tree.getArguments(), type);
    }
    return super.visitNewClass(tree, null);
  }

  private void convertAll(List<? extends ExpressionTree> arguments, ExecutableType type) {
    List<? extends TypeMirror> parameters = type.getParameterTypes();
    for (int i = 0; i < Math.min(arguments.size(), parameters.size()); i++) {
      convert(arguments.get(i), parameters.get(i));
    }
  }

  private void convert(ExpressionTree expression, @Nullable TypeMirror to) {
    TypeMirror from = typeOf(expression);
    if (isRaw(from) && to instanceof DeclaredType && hasArguments(to)) {
      add(
          expression,
          "An unchecked conversion from the raw type " + from + " to " + to + " in " + into);
    }
  }
}
