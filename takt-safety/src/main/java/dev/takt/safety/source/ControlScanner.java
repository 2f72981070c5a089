package dev.takt.safety.source;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import java.util.List;
import java.util.Locale;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** R5 (monitors), R19 (throws), R20 (finally) and R22: what the statements of a body say. */
final class ControlScanner extends BodyScanner {
  private final MethodFacts into;

  ControlScanner(Trees trees, Types types, CompilationUnitTree unit, MethodFacts into) {
    super(trees, types, unit);
    this.into = into;
  }

  private void add(Tree tree, Rule rule, String message) {
    into.uses.add(new Use.Offence(spot(tree), rule, Severity.ERROR, message));
  }

  @Override
  public @Nullable Void visitSynchronized(SynchronizedTree tree, @Nullable Void unused) {
    add(tree, Rule.R5, "A synchronized statement in " + into + " takes a monitor");
    return super.visitSynchronized(tree, null);
  }

  @Override
  public @Nullable Void visitThrow(ThrowTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getExpression());
    if (type != null && !isCaught(type)) {
      into.uses.add(new Use.Throw(spot(tree), type));
    }
    return handlers().isEmpty() ? null : super.visitThrow(tree, null);
  }

  @Override
  void scanDoomed(List<? extends StatementTree> statements) {
    for (StatementTree each : statements) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitThrow(ThrowTree tree, @Nullable Void unused) {
          return ControlScanner.this.visitThrow(tree, null);
        }
      }.scan(each, null);
    }
  }

  @Override
  public @Nullable Void visitTry(TryTree tree, @Nullable Void unused) {
    if (tree.getFinallyBlock() != null) {
      for (Tree each : AbortPaths.waysOut(tree.getFinallyBlock())) {
        add(
            each,
            Rule.R20,
            "A finally block in "
                + into
                + " ends with "
                + each.getKind().toString().toLowerCase(Locale.ROOT)
                + ", which drops an abort on its way");
      }
    }
    return super.visitTry(tree, null);
  }

  @Override
  public @Nullable Void visitCatch(CatchTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getParameter());
    if (type != null && type.toString().equals(Names.ABORT)) {
      into.uses.add(
          new Use.Offence(
              spot(tree.getParameter()),
              Rule.R20,
              Severity.WARNING,
              "The handler of Abort in " + into + " never runs: woven code passes an abort on"));
    }
    return super.visitCatch(tree, null);
  }

  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
    checkFunction(tree);
    return super.visitLambdaExpression(tree, null);
  }

  @Override
  public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void unused) {
    checkFunction(tree);
    return super.visitMemberReference(tree, null);
  }

  private void checkFunction(Tree tree) {
    TypeMirror type = trees.getTypeMirror(getCurrentPath());
    if (type != null) {
      into.uses.add(new Use.Function(spot(tree), type));
    }
  }
}
