package dev.takt.safety.source;

import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the body of a method along the paths that can end well: what can only end in a
 * throw is left out, as the bytecode verifier does. Does not enter classes within.
 */
abstract class BodyScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
  final Trees trees;
  final Types types;
  final CompilationUnitTree unit;

  /** The types that handlers around the present place catch, in this method. */
  private List<TypeMirror> handlers = List.of();

  /** Whether the present place can only end in a throw; such code is not pruned again. */
  boolean doomed;

  BodyScanner(Trees trees, Types types, CompilationUnitTree unit) {
    this.trees = trees;
    this.types = types;
    this.unit = unit;
  }

  final Spot spot(Tree tree) {
    return new Spot(unit, tree);
  }

  /** Returns what an expression within the present tree names, or null. */
  final @Nullable Element elementOf(Tree tree) {
    return trees.getElement(new TreePath(getCurrentPath(), tree));
  }

  /** Returns the type of an expression within the present tree, or null. */
  final @Nullable TypeMirror typeOf(Tree tree) {
    return trees.getTypeMirror(new TreePath(getCurrentPath(), tree));
  }

  /** Returns the types that handlers around the present place catch, in this method. */
  final List<TypeMirror> handlers() {
    return handlers;
  }

  /** Returns whether a handler around the present place catches an exception. */
  final boolean isCaught(TypeMirror exception) {
    return handlers.stream().anyMatch(each -> types.isSubtype(exception, each));
  }

  static boolean isString(@Nullable TypeMirror type) {
    TypeElement element = Kinds.elementOf(type);
    return element != null && element.getQualifiedName().contentEquals("java.lang.String");
  }

  static ExpressionTree withoutParentheses(ExpressionTree tree) {
    ExpressionTree bare = tree;
    while (bare instanceof ParenthesizedTree parenthesized) {
      bare = parenthesized.getExpression();
    }
    return bare;
  }

  static boolean isNamed(Tree tree, String name) {
    return tree instanceof IdentifierTree identifier && identifier.getName().contentEquals(name);
  }

  /** Whether an expression names a field of this object. */
  static boolean isOnThis(ExpressionTree tree) {
    return tree instanceof IdentifierTree
        || tree instanceof MemberSelectTree select && isNamed(select.getExpression(), "this");
  }

  @Override
  public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
    return null;
  }

  @Override
  public @Nullable Void visitBlock(BlockTree tree, @Nullable Void unused) {
    List<? extends StatementTree> statements = tree.getStatements();
    int end =
        handlers.isEmpty() && !doomed ? AbortPaths.firstDoomed(statements) : statements.size();
    for (int i = 0; i < end; i++) {
      scan(statements.get(i), null);
    }
    scanDoomed(statements.subList(end, statements.size()));
    return null;
  }

  /** Looks at statements that can only end in a throw; most scanners do not. */
  void scanDoomed(List<? extends StatementTree> statements) {}

  @Override
  public @Nullable Void visitThrow(ThrowTree tree, @Nullable Void unused) {
    if (handlers.isEmpty() && !doomed) {
      scanDoomed(List.of(tree));
      return null;
    }
    return super.visitThrow(tree, null);
  }

  @Override
  public @Nullable Void visitAssert(AssertTree tree, @Nullable Void unused) {
    return scan(tree.getCondition(), null);
  }

  @Override
  public @Nullable Void visitTry(TryTree tree, @Nullable Void unused) {
    List<TypeMirror> outside = handlers;
    List<TypeMirror> inside = new ArrayList<>(outside);
    for (CatchTree each : tree.getCatches()) {
      addCaught(each, inside);
    }
    handlers = inside;
    scan(tree.getResources(), null);
    scan(tree.getBlock(), null);
    handlers = outside;
    scan(tree.getCatches(), null);
    return scan(tree.getFinallyBlock(), null);
  }

  private void addCaught(CatchTree tree, List<TypeMirror> into) {
    TreePath parameter = new TreePath(new TreePath(getCurrentPath(), tree), tree.getParameter());
    Tree type = tree.getParameter().getType();
    List<? extends Tree> alternatives =
        type instanceof UnionTypeTree union ? union.getTypeAlternatives() : List.of(type);
    for (Tree each : alternatives) {
      TypeMirror caught = trees.getTypeMirror(new TreePath(parameter, each));
      if (caught != null) {
        into.add(caught);
      }
    }
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
    List<TypeMirror> outside = handlers;
    handlers = List.of();
    scan(tree.getBody(), null);
    handlers = outside;
    return null;
  }
}
