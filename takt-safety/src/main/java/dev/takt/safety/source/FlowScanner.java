package dev.takt.safety.source;

import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * For R11 and R18: follows the references in parameters and private array fields through the locals
 * of one method. Flow-insensitive: what a local may hold somewhere, it may hold everywhere.
 */
final class FlowScanner extends BodyScanner {
  private final MethodFacts into;
  private final Map<Element, Set<VariableElement>> locals = new HashMap<>();
  private final Set<Element> innerLocals = new HashSet<>();

  /** Locals that may hold an array that was not made for them. */
  private final Set<Element> stale = new HashSet<>();

  private int lambdas;
  private boolean changed;
  private boolean reporting;

  FlowScanner(Trees trees, Types types, CompilationUnitTree unit, MethodFacts into) {
    super(trees, types, unit);
    this.into = into;
  }

  /** Scans until no local holds more than before, and then once more for the result. */
  void scanBody(TreePath body) {
    do {
      changed = false;
      scan(body, null);
    } while (changed);
    reporting = true;
    scan(body, null);
  }

  /** Returns whether an expression makes the array that is its value, or has it made. */
  static boolean isFresh(ExpressionTree value) {
    ExpressionTree bare = withoutParentheses(value);
    return bare instanceof NewArrayTree
        || bare instanceof MethodInvocationTree call && isCopy(call.getMethodSelect())
        || bare.getKind() == Tree.Kind.NULL_LITERAL
        || bare instanceof ConditionalExpressionTree choice
            && isFresh(choice.getTrueExpression())
            && isFresh(choice.getFalseExpression());
  }

  /** Methods that return a new array; the caller's own ones of these names are unlikely. */
  private static boolean isCopy(ExpressionTree method) {
    return method instanceof MemberSelectTree select
        && (select.getIdentifier().contentEquals("clone")
            || isNamed(select.getExpression(), "Arrays")
                && select.getIdentifier().toString().startsWith("copyOf"));
  }

  /** Whether a value is a new array, or comes from a local that holds only such. */
  private boolean isFreshHere(ExpressionTree value) {
    ExpressionTree bare = withoutParentheses(value);
    return isFresh(bare)
        || bare instanceof IdentifierTree
            && elementOf(bare) instanceof Element local
            && local.getKind() == ElementKind.LOCAL_VARIABLE
            && !stale.contains(local);
  }

  @Override
  public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void unused) {
    Element local = elementOf(tree.getVariable());
    if (local != null && stale.add(local)) {
      changed = true;
    }
    return super.visitEnhancedForLoop(tree, null);
  }

  static boolean isPrivateArray(VariableElement field) {
    return field.getKind() == ElementKind.FIELD
        && field.getModifiers().contains(Modifier.PRIVATE)
        && !field.getModifiers().contains(Modifier.STATIC)
        && Kinds.isPrimitiveArray(field.asType());
  }

  /** Returns the parameters and fields that the value of an expression may come from. */
  private Set<VariableElement> sourcesOf(@Nullable ExpressionTree expression) {
    return switch (expression == null ? null : withoutParentheses(expression)) {
      case IdentifierTree name -> sourcesOf(elementOf(name));
      case MemberSelectTree select -> sourcesOf(elementOf(select));
      case TypeCastTree cast -> sourcesOf(cast.getExpression());
      case AssignmentTree assignment -> sourcesOf(assignment.getExpression());
      case ConditionalExpressionTree choice -> {
        Set<VariableElement> both = new LinkedHashSet<>(sourcesOf(choice.getTrueExpression()));
        both.addAll(sourcesOf(choice.getFalseExpression()));
        yield both;
      }
      case null, default -> Set.of();
    };
  }

  private Set<VariableElement> sourcesOf(@Nullable Element element) {
    if (!(element instanceof VariableElement variable)
        || variable.asType().getKind().isPrimitive()) {
      return Set.of();
    }
    if (isPrivateArray(variable)
        || into.method != null && into.method.getParameters().contains(variable)) {
      return Set.of(variable);
    }
    return locals.getOrDefault(variable, Set.of());
  }

  private void flows(
      ExpressionTree value,
      Flow.Kind kind,
      Tree at,
      @Nullable ExecutableElement callee,
      int index) {
    if (reporting) {
      for (VariableElement each : sourcesOf(value)) {
        into.flows.add(new Flow(each, kind, spot(at), callee, index));
      }
    }
  }

  /** Notes what a field is set to; an array that goes back to its own field has gone nowhere. */
  private void stored(ExpressionTree value, Tree at, VariableElement field) {
    if (reporting) {
      for (VariableElement each : sourcesOf(value)) {
        if (!each.equals(field)) {
          into.flows.add(new Flow(each, Flow.Kind.STORED, spot(at), null, 0));
        }
      }
    }
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    Element local = trees.getElement(getCurrentPath());
    if (local != null) {
      if (lambdas > 0) {
        innerLocals.add(local);
      }
      alias(local, tree.getInitializer());
    }
    return super.visitVariable(tree, null);
  }

  private void alias(Element local, @Nullable ExpressionTree value) {
    if (value != null && !isFreshHere(value) && stale.add(local)) {
      changed = true;
    }
    Set<VariableElement> found = sourcesOf(value);
    if (!found.isEmpty() && locals.computeIfAbsent(local, each -> new HashSet<>()).addAll(found)) {
      changed = true;
    }
  }

  @Override
  public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void unused) {
    ExpressionTree target = withoutParentheses(tree.getVariable());
    if (target instanceof ArrayAccessTree) {
      flows(tree.getExpression(), Flow.Kind.STORED, tree, null, 0);
    } else if (elementOf(target) instanceof VariableElement variable) {
      if (variable.getKind() != ElementKind.FIELD) {
        alias(variable, tree.getExpression());
      } else {
        stored(tree.getExpression(), tree.getVariable(), variable);
        if (reporting && isPrivateArray(variable) && !isFreshHere(tree.getExpression())) {
          into.uses.add(
              new Use.ArraySet(
                  spot(tree.getVariable()),
                  variable,
                  List.copyOf(sourcesOf(tree.getExpression()))));
        }
      }
    }
    return super.visitAssignment(tree, null);
  }

  @Override
  public @Nullable Void visitReturn(ReturnTree tree, @Nullable Void unused) {
    if (tree.getExpression() != null && lambdas == 0) {
      flows(tree.getExpression(), Flow.Kind.RETURNED, tree, null, 0);
    }
    return super.visitReturn(tree, null);
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void unused) {
    if (elementOf(tree.getMethodSelect()) instanceof ExecutableElement callee) {
      passed(tree.getArguments(), callee);
    }
    return super.visitMethodInvocation(tree, null);
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void unused) {
    if (elementOf(tree) instanceof ExecutableElement constructor) {
      passed(tree.getArguments(), constructor);
    }
    return super.visitNewClass(tree, null);
  }

  private void passed(List<? extends ExpressionTree> arguments, ExecutableElement callee) {
    for (int i = 0; i < arguments.size(); i++) {
      flows(
          arguments.get(i),
          Flow.Kind.PASSED,
          arguments.get(i),
          callee,
          Math.min(i, Math.max(callee.getParameters().size() - 1, 0)));
    }
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
    lambdas++;
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

  /** A class in the body captures what it names of the method's variables. */
  @Override
  public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
    if (reporting) {
      new TreePathScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitIdentifier(IdentifierTree name, @Nullable Void nothing) {
          captured(trees.getElement(getCurrentPath()), name);
          return null;
        }
      }.scan(getCurrentPath(), null);
    }
    return null;
  }

  private void captured(@Nullable Element element, IdentifierTree tree) {
    if (reporting
        && element instanceof VariableElement variable
        && variable.getKind() != ElementKind.FIELD
        && !innerLocals.contains(variable)) {
      for (VariableElement each : sourcesOf(variable)) {
        into.flows.add(new Flow(each, Flow.Kind.CAPTURED, spot(tree), null, 0));
      }
    }
  }
}
