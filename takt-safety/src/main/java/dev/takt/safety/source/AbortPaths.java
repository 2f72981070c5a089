package dev.takt.safety.source;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.BreakTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LabeledStatementTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Name;
import org.jspecify.annotations.Nullable;

/**
 * Code that can only end in a throw. It may allocate and format as it likes: the release is over.
 */
final class AbortPaths {
  private AbortPaths() {}

  /** Returns the index of the first statement from which on there is no way but a throw. */
  static int firstDoomed(List<? extends StatementTree> statements) {
    int at = statements.size();
    boolean throwsLater = false;
    for (int i = statements.size() - 1; i >= 0; i--) {
      StatementTree statement = statements.get(i);
      if (mustThrow(statement)) {
        throwsLater = true;
      }
      if (!throwsLater || hasWayOut(statement)) {
        break;
      }
      at = i;
    }
    return at;
  }

  private static boolean mustThrow(@Nullable StatementTree statement) {
    return switch (statement) {
      case ThrowTree _ -> true;
      case BlockTree block ->
          !block.getStatements().isEmpty() && firstDoomed(block.getStatements()) == 0;
      case IfTree branch ->
          mustThrow(branch.getThenStatement()) && mustThrow(branch.getElseStatement());
      case null, default -> false;
    };
  }

  private static boolean hasWayOut(StatementTree statement) {
    return !waysOut(statement).isEmpty();
  }

  /** Returns the statements that leave a statement other than by its end or an exception. */
  static List<Tree> waysOut(Tree statement) {
    Leaving scanner = new Leaving();
    scanner.scan(statement, null);
    return scanner.found;
  }

  private static final class Leaving extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final List<Tree> found = new ArrayList<>();
    private final Set<Name> labels = new HashSet<>();
    private int loops;
    private int switches;

    @Override
    public @Nullable Void visitLabeledStatement(LabeledStatementTree tree, @Nullable Void unused) {
      labels.add(tree.getLabel());
      return super.visitLabeledStatement(tree, null);
    }

    @Override
    public @Nullable Void visitReturn(ReturnTree tree, @Nullable Void unused) {
      found.add(tree);
      return null;
    }

    @Override
    public @Nullable Void visitBreak(BreakTree tree, @Nullable Void unused) {
      if (leaves(tree.getLabel(), loops + switches)) {
        found.add(tree);
      }
      return null;
    }

    @Override
    public @Nullable Void visitContinue(ContinueTree tree, @Nullable Void unused) {
      if (leaves(tree.getLabel(), loops)) {
        found.add(tree);
      }
      return null;
    }

    private boolean leaves(@Nullable Name label, int inside) {
      return label == null ? inside == 0 : !labels.contains(label);
    }

    @Override
    public @Nullable Void visitYield(YieldTree tree, @Nullable Void unused) {
      return null;
    }

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
      return null;
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
      return null;
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree tree, @Nullable Void unused) {
      loops++;
      super.visitForLoop(tree, null);
      loops--;
      return null;
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void unused) {
      loops++;
      super.visitEnhancedForLoop(tree, null);
      loops--;
      return null;
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree tree, @Nullable Void unused) {
      loops++;
      super.visitWhileLoop(tree, null);
      loops--;
      return null;
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree tree, @Nullable Void unused) {
      loops++;
      super.visitDoWhileLoop(tree, null);
      loops--;
      return null;
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void unused) {
      switches++;
      super.visitSwitch(tree, null);
      switches--;
      return null;
    }
  }
}
