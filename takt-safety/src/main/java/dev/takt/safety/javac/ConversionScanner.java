package dev.takt.safety.javac;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import dev.takt.safety.SourceLocation;
import java.util.List;
import java.util.Objects;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Finds the casts, conversions and calls whose type arguments are not checked (R10): type arguments
 * are gone from class files.
 */
final class ConversionScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
  private final Trees trees;
  private final Elements elements;
  private final Types types;
  private final CompilationUnitTree unit;
  private final List<Conversion> into;
  private String owner = "";
  private String method = "<init>";
  private int parameters = -1;

  ConversionScanner(
      Trees trees,
      Elements elements,
      Types types,
      CompilationUnitTree unit,
      List<Conversion> into) {
    this.trees = trees;
    this.elements = elements;
    this.types = types;
    this.unit = unit;
    this.into = into;
  }

  private void add(Tree tree, String message) {
    long start = trees.getSourcePositions().getStartPosition(unit, tree);
    String file = unit.getSourceFile().getName().replace('\\', '/');
    String className = owner.replace('/', '.');
    SourceLocation place =
        new SourceLocation(
            className,
            method + "()",
            file.substring(file.lastIndexOf('/') + 1),
            (int) unit.getLineMap().getLineNumber(start),
            0);
    String where = method.equals("<init>") ? "new " + className : className + "." + method;
    into.add(new Conversion(message + " in " + where, place, owner, method, parameters));
  }

  /** Returns what an expression within the present tree names, or null. */
  private @Nullable Element elementOf(Tree tree) {
    return trees.getElement(new TreePath(getCurrentPath(), tree));
  }

  /** Returns the type of an expression within the present tree, or null. */
  private @Nullable TypeMirror typeOf(Tree tree) {
    return trees.getTypeMirror(new TreePath(getCurrentPath(), tree));
  }

  @Override
  public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
    String outerOwner = owner;
    String outerMethod = method;
    int outerParameters = parameters;
    if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
      owner = elements.getBinaryName(type).toString().replace('.', '/');
    }
    method = "<init>";
    parameters = -1;
    super.visitClass(tree, null);
    owner = outerOwner;
    method = outerMethod;
    parameters = outerParameters;
    return null;
  }

  @Override
  public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
    method = tree.getName().toString();
    parameters = method.equals("<init>") ? -1 : tree.getParameters().size();
    super.visitMethod(tree, null);
    method = "<init>";
    parameters = -1;
    return null;
  }

  @Override
  public @Nullable Void visitTypeCast(TypeCastTree tree, @Nullable Void unused) {
    TypeMirror from = typeOf(tree.getExpression());
    TypeMirror to = typeOf(tree.getType());
    ExpressionTree bare = tree.getExpression();
    while (bare instanceof ParenthesizedTree parenthesized) {
      bare = parenthesized.getExpression();
    }
    boolean function = bare instanceof LambdaExpressionTree || bare instanceof MemberReferenceTree;
    if (from != null && to != null && !function && isUnchecked(from, to)) {
      add(tree, "An unchecked cast from " + from + " to " + to);
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
      add(select, "An unchecked call of " + shortName(method) + " on the raw type " + receiver);
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
      add(expression, "An unchecked conversion from the raw type " + from + " to " + to);
    }
  }

  private static String shortName(ExecutableElement method) {
    Element type = Objects.requireNonNull(method.getEnclosingElement());
    return type.getSimpleName() + "." + method.getSimpleName();
  }
}
