package dev.takt.safety.source;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import dev.takt.safety.Rule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** R27, and R7 for strings: allocations that pools cannot serve. */
final class AllocationScanner extends BodyScanner {
  private static final Set<String> BOXES =
      Set.of(
          "java.lang.Short",
          "java.lang.Character",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double");

  /** JDK methods that always, or nearly always, make a new object. */
  private static final Map<String, Set<String>> MAKERS =
      Map.ofEntries(
          Map.entry(
              "java.lang.String",
              Set.of(
                  "substring",
                  "subSequence",
                  "concat",
                  "toLowerCase",
                  "toUpperCase",
                  "toCharArray",
                  "getBytes",
                  "replace",
                  "repeat",
                  "strip",
                  "trim",
                  "split",
                  "join",
                  "valueOf",
                  "copyValueOf")),
          Map.entry("java.lang.StringBuilder", Set.of("toString", "substring", "subSequence")),
          Map.entry("java.lang.Integer", Set.of("toString", "toHexString", "toBinaryString")),
          Map.entry("java.lang.Long", Set.of("toString", "toHexString", "toBinaryString")),
          Map.entry("java.lang.Double", Set.of("toString")),
          Map.entry("java.lang.Float", Set.of("toString")),
          Map.entry("java.util.Arrays", Set.of("copyOf", "copyOfRange", "asList", "toString")),
          Map.entry("java.util.List", Set.of("of", "copyOf", "subList", "toArray")),
          Map.entry("java.util.Set", Set.of("of", "copyOf")),
          Map.entry("java.util.Map", Set.of("of", "copyOf", "entry", "ofEntries")),
          Map.entry("java.util.Optional", Set.of("of", "ofNullable")),
          Map.entry("java.util.Collection", Set.of("toArray")));

  private final MethodFacts into;

  /** Whether arrays of any length that are made here come from pools. */
  private final boolean bounded;

  AllocationScanner(Trees trees, Types types, CompilationUnitTree unit, MethodFacts into) {
    super(trees, types, unit);
    this.into = into;
    bounded = into.method != null && Kinds.hasAnnotation(into.method, Names.MAX_LENGTH);
  }

  private void add(Tree tree, Rule rule, String message) {
    into.uses.add(new Use.Allocation(spot(tree), rule, message + " in " + into));
  }

  @Override
  public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void unused) {
    if (tree.getKind() == Tree.Kind.PLUS && isNewString(getCurrentPath())) {
      add(tree, Rule.R7, "A string concatenation");
      return scanOperands(tree);
    }
    return super.visitBinary(tree, null);
  }

  /** The parts of one concatenation are one allocation. */
  private @Nullable Void scanOperands(ExpressionTree tree) {
    ExpressionTree bare = withoutParentheses(tree);
    if (bare instanceof BinaryTree binary
        && binary.getKind() == Tree.Kind.PLUS
        && isString(typeOf(bare))) {
      scanOperands(binary.getLeftOperand());
      return scanOperands(binary.getRightOperand());
    }
    return scan(tree, null);
  }

  private boolean isNewString(TreePath path) {
    return isString(trees.getTypeMirror(path)) && !isConstant(path);
  }

  /** Whether an expression is put together by the compiler: nothing but literals and constants. */
  private boolean isConstant(TreePath path) {
    return switch (path.getLeaf()) {
      case com.sun.source.tree.LiteralTree _ -> true;
      case com.sun.source.tree.ParenthesizedTree inner ->
          isConstant(new TreePath(path, inner.getExpression()));
      case BinaryTree binary ->
          isConstant(new TreePath(path, binary.getLeftOperand()))
              && isConstant(new TreePath(path, binary.getRightOperand()));
      default ->
          trees.getElement(path) instanceof VariableElement variable
              && variable.getConstantValue() != null;
    };
  }

  @Override
  public @Nullable Void visitCompoundAssignment(
      CompoundAssignmentTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getVariable());
    if (isString(type)) {
      add(tree, Rule.R7, "A string concatenation");
    } else if (isBox(type)) {
      add(tree, Rule.R27, "A new " + type + " for the result of an assignment");
    }
    return super.visitCompoundAssignment(tree, null);
  }

  @Override
  public @Nullable Void visitUnary(UnaryTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getExpression());
    switch (tree.getKind()) {
      case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT -> {
        if (isBox(type)) {
          add(tree, Rule.R27, "A new " + type + " for the next value");
        }
      }
      default -> {}
    }
    return super.visitUnary(tree, null);
  }

  private static boolean isBox(@Nullable TypeMirror type) {
    TypeElement element = Kinds.elementOf(type);
    return element != null && BOXES.contains(element.getQualifiedName().toString());
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    if (tree.getInitializer() != null) {
      box(tree.getInitializer(), trees.getTypeMirror(getCurrentPath()));
    }
    return super.visitVariable(tree, null);
  }

  @Override
  public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void unused) {
    box(tree.getExpression(), typeOf(tree.getVariable()));
    return super.visitAssignment(tree, null);
  }

  @Override
  public @Nullable Void visitReturn(ReturnTree tree, @Nullable Void unused) {
    if (tree.getExpression() != null
        && into.method != null
        && getCurrentPath().getParentPath() != null
        && !isInLambda()) {
      box(tree.getExpression(), into.method.getReturnType());
    }
    return super.visitReturn(tree, null);
  }

  private boolean isInLambda() {
    for (TreePath at = getCurrentPath(); at != null; at = at.getParentPath()) {
      if (at.getLeaf().getKind() == Tree.Kind.LAMBDA_EXPRESSION) {
        return true;
      }
    }
    return false;
  }

  @Override
  public @Nullable Void visitTypeCast(TypeCastTree tree, @Nullable Void unused) {
    box(tree.getExpression(), typeOf(tree.getType()));
    return super.visitTypeCast(tree, null);
  }

  /** A primitive where a reference is expected becomes an object, unless it is in the cache. */
  private void box(ExpressionTree expression, @Nullable TypeMirror to) {
    TypeMirror from = typeOf(expression);
    if (from != null
        && to != null
        && from.getKind().isPrimitive()
        && to.getKind() != TypeKind.ERROR
        && !to.getKind().isPrimitive()
        && !isCached(from, expression)) {
      add(expression, Rule.R27, "Boxing of a value of type " + from + " into " + to);
    }
  }

  private boolean isCached(TypeMirror type, ExpressionTree expression) {
    return switch (type.getKind()) {
      case BOOLEAN, BYTE -> true;
      case SHORT, INT, LONG, CHAR ->
          constant(expression) instanceof Long value && value >= -128 && value <= 127;
      default -> false;
    };
  }

  /** Returns the value of a literal or constant as a long, or null. */
  private @Nullable Long constant(ExpressionTree expression) {
    ExpressionTree bare = withoutParentheses(expression);
    Object value =
        bare instanceof com.sun.source.tree.LiteralTree literal
            ? literal.getValue()
            : elementOf(bare) instanceof VariableElement variable
                ? variable.getConstantValue()
                : null;
    return switch (value) {
      case Character c -> (long) c;
      case Number n when !(n instanceof Double) && !(n instanceof Float) -> n.longValue();
      case null, default -> null;
    };
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void unused) {
    if (elementOf(tree.getMethodSelect()) instanceof ExecutableElement method
        && method.getEnclosingElement() instanceof TypeElement owner) {
      if (typeOf(tree.getMethodSelect()) instanceof ExecutableType type
          && !owner.getQualifiedName().contentEquals(Names.EVENT)) {
        boxAll(tree.getArguments(), type, method);
      }
      called(tree, method, owner);
    }
    return super.visitMethodInvocation(tree, null);
  }

  private void called(MethodInvocationTree tree, ExecutableElement method, TypeElement owner) {
    String name = method.getSimpleName().toString();
    Tree at = tree.getMethodSelect();
    if (owner.getKind() == ElementKind.ENUM && name.equals("values")) {
      add(at, Rule.R27, "Each call of " + Names.shortName(method) + " makes a new array");
    } else if (name.equals("valueOf")
        && BOXES.contains(owner.getQualifiedName().toString())
        && method.getParameters().getFirst().asType().getKind().isPrimitive()) {
      TypeMirror from = typeOf(tree.getArguments().getFirst());
      if (from != null && !isCached(from, tree.getArguments().getFirst())) {
        add(at, Rule.R27, "Boxing by " + Names.shortName(method));
      }
    } else if (name.equals("clone") && method.getParameters().isEmpty()) {
      add(at, Rule.R27, "A copy made by clone()");
    } else if (isJdk(owner) && isIterator(method)) {
      add(at, Rule.R27, "An iterator of " + owner.getQualifiedName());
    } else if (MAKERS.getOrDefault(owner.getQualifiedName().toString(), Set.of()).contains(name)) {
      add(at, Rule.R27, "A new object made by " + Names.shortName(method));
    }
  }

  private static boolean isIterator(ExecutableElement method) {
    String name = method.getSimpleName().toString();
    return (name.equals("iterator") || name.equals("listIterator") || name.equals("spliterator"))
        && !method.getModifiers().contains(Modifier.STATIC);
  }

  private static boolean isJdk(TypeElement type) {
    Element at = type;
    while (at != null && !(at instanceof PackageElement)) {
      at = at.getEnclosingElement();
    }
    return at instanceof PackageElement in && in.getQualifiedName().toString().startsWith("java.");
  }

  private void boxAll(
      List<? extends ExpressionTree> arguments, ExecutableType type, ExecutableElement method) {
    List<? extends TypeMirror> parameters = type.getParameterTypes();
    int fixed = method.isVarArgs() ? parameters.size() - 1 : parameters.size();
    for (int i = 0; i < arguments.size(); i++) {
      if (i < fixed) {
        box(arguments.get(i), parameters.get(i));
      } else if (parameters.getLast() instanceof javax.lang.model.type.ArrayType rest) {
        box(arguments.get(i), rest.getComponentType());
      }
    }
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void unused) {
    if (elementOf(tree) instanceof ExecutableElement constructor
        && constructor.getEnclosingElement() instanceof TypeElement type) {
      if (constructor.asType() instanceof ExecutableType signature
          && !type.getQualifiedName().contentEquals(Names.EVENT)) {
        boxAll(tree.getArguments(), signature, constructor);
      }
      if (isJdk(type)) {
        add(tree, Rule.R27, "A new " + type.getQualifiedName());
      }
    }
    return super.visitNewClass(tree, null);
  }

  @Override
  public @Nullable Void visitNewArray(NewArrayTree tree, @Nullable Void unused) {
    if (!bounded) {
      for (ExpressionTree each : tree.getDimensions()) {
        if (!isConstant(new TreePath(getCurrentPath(), each))) {
          add(
              tree,
              Rule.R27,
              "A new "
                  + trees.getTypeMirror(getCurrentPath())
                  + " whose length is neither constant nor bounded by @MaxLength");
          break;
        }
      }
    }
    return super.visitNewArray(tree, null);
  }

  @Override
  public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getExpression());
    if (type instanceof DeclaredType declared
        && declared.asElement() instanceof TypeElement element
        && isJdk(element)) {
      add(
          tree.getExpression(),
          Rule.R27,
          "An iterator of " + element.getQualifiedName() + " for this loop");
    }
    return super.visitEnhancedForLoop(tree, null);
  }
}
