package dev.takt.safety.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/**
 * Collects facts while the compiler analyzes, and reports when it has analyzed everything.
 *
 * <p>The facts of a class have to be read as soon as it is analyzed, because the compiler rewrites
 * its tree soon after. What is wrong shows only when all classes are known.
 */
final class CompilationListener implements TaskListener {
  private final JavacTask task;
  private final BiFunction<Sources, Boolean, List<Problem>> check;

  /** The top-level classes that are parsed and not yet analyzed. */
  private final Set<String> expected = new HashSet<>();

  private @Nullable CompilationUnitTree anyUnit;
  private @Nullable Sources sources;
  private boolean importsRuntime;
  private boolean asked;
  private boolean done;

  CompilationListener(JavacTask task, BiFunction<Sources, Boolean, List<Problem>> check) {
    this.task = task;
    this.check = check;
  }

  @Override
  public void finished(TaskEvent event) {
    if (done) {
      return;
    }
    try {
      switch (event.getKind()) {
        case PARSE -> parsed(event.getCompilationUnit());
        case ANALYZE -> analyzed(event);
        case COMPILATION -> report(false);
        default -> {}
      }
    } catch (RuntimeException | StackOverflowError | LinkageError failure) {
      done = true;
      giveUp(failure);
    }
  }

  /**
   * Whether there is anything to check: if not, the compilation goes on as if the plugin were not
   * there. A stable class within a body counts if its file imports the task runtime.
   */
  private boolean concernsTasks() {
    TypeElement stable = task.getElements().getTypeElement(Names.STABLE);
    return stable != null
        && (importsRuntime
            || expected.stream()
                .map(task.getElements()::getTypeElement)
                .anyMatch(each -> each != null && isStable(each, stable)));
  }

  /** Whether a class, or a member class of it, is stable. */
  private boolean isStable(TypeElement type, TypeElement stable) {
    return task.getTypes().isSubtype(task.getTypes().erasure(type.asType()), stable.asType())
        || ElementFilter.typesIn(type.getEnclosedElements()).stream()
            .anyMatch(each -> isStable(each, stable));
  }

  private void parsed(CompilationUnitTree unit) {
    anyUnit = unit;
    importsRuntime |=
        unit.getImports().stream()
            .anyMatch(
                each -> each.getQualifiedIdentifier().toString().startsWith("dev.takt.reflex."));
    for (Tree each : unit.getTypeDecls()) {
      if (each instanceof ClassTree type) {
        expected.add(name(unit, type));
      }
    }
  }

  private static String name(CompilationUnitTree unit, ClassTree type) {
    return unit.getPackageName() == null
        ? type.getSimpleName().toString()
        : unit.getPackageName() + "." + type.getSimpleName();
  }

  private void analyzed(TaskEvent event) {
    if (!asked) {
      asked = true;
      if (concernsTasks()) {
        sources = new Sources(task.getTypes());
      } else {
        done = true;
        expected.clear();
      }
    }
    TypeElement type = event.getTypeElement();
    if (sources == null || type == null) {
      return;
    }
    collect(event.getCompilationUnit(), type, sources);
    expected.remove(type.getQualifiedName().toString());
    if (expected.isEmpty()) {
      report(true);
    }
  }

  private void collect(CompilationUnitTree unit, TypeElement type, Sources into) {
    Trees trees = Trees.instance(task);
    TreePath root = new TreePath(unit);
    for (Tree each : unit.getTypeDecls()) {
      TreePath path = new TreePath(root, each);
      if (type.equals(trees.getElement(path))) {
        new Collector(trees, task.getTypes(), into, unit).scan(path, null);
      }
    }
  }

  private void report(boolean complete) {
    done = true;
    if (sources == null) {
      return;
    }
    Trees trees = Trees.instance(task);
    List<Problem> problems = new ArrayList<>(check.apply(sources, complete));
    problems.sort(inSourceOrder(problems, trees.getSourcePositions()));
    for (Problem each : problems) {
      Diagnostic.Kind kind =
          switch (each.severity()) {
            case ERROR -> Diagnostic.Kind.ERROR;
            case WARNING -> Diagnostic.Kind.WARNING;
          };
      trees.printMessage(kind, each.text(), each.spot().tree(), each.spot().unit());
    }
    sources = null;
  }

  /** File by file, each from top to bottom. */
  private static Comparator<Problem> inSourceOrder(
      List<Problem> problems, SourcePositions positions) {
    List<CompilationUnitTree> units =
        problems.stream().map(each -> each.spot().unit()).distinct().toList();
    return Comparator.<Problem>comparingInt(each -> units.indexOf(each.spot().unit()))
        .thenComparingLong(
            each -> positions.getStartPosition(each.spot().unit(), each.spot().tree()))
        .thenComparingInt(each -> each.spot().tree().toString().length());
  }

  private void giveUp(Throwable failure) {
    CompilationUnitTree unit = anyUnit;
    if (unit != null) {
      Trees.instance(task)
          .printMessage(
              Diagnostic.Kind.WARNING,
              "The Takt plugin has failed and checks nothing more in this compilation ("
                  + failure
                  + "). The bytecode verifier still does: takt check, or when weaving. Please"
                  + " report this.",
              unit,
              unit);
    }
  }
}
