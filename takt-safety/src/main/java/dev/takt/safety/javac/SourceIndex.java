package dev.takt.safety.javac;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import dev.takt.safety.SourceLocation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tree that stands at a line of a class file, so that the compiler can report there.
 *
 * <p>It keeps one tree a line: the first statement or declaration that begins there, else the first
 * name that is selected or expression that begins there.
 */
final class SourceIndex {
  /**
   * A place in a source file.
   *
   * @param unit the file
   * @param tree what stands there
   * @param line the line, from 1
   */
  record Spot(CompilationUnitTree unit, Tree tree, long line) {}

  private final Trees trees;
  private final Elements elements;

  /** The trees of a file by line; files by package and simple name, as class files name them. */
  private final Map<String, TreeMap<Long, Spot>> files = new HashMap<>();

  /** Classes by binary name, their fields and methods by that and {@code #name}. */
  private final Map<String, Spot> declarations = new HashMap<>();

  SourceIndex(Trees trees, Elements elements) {
    this.trees = trees;
    this.elements = elements;
  }

  /** Adds a class that was analyzed, and its file; before the compiler rewrites the trees. */
  void add(CompilationUnitTree unit, TreePath type) {
    new Declarations(unit).scan(type, null);
    addLines(unit);
  }

  private void addLines(CompilationUnitTree unit) {
    String file = unit.getSourceFile().getName().replace('\\', '/');
    String key = key(packageOf(unit), file.substring(file.lastIndexOf('/') + 1));
    if (!files.containsKey(key)) {
      TreeMap<Long, Spot> lines = new TreeMap<>();
      files.put(key, lines);
      new Lines(unit, lines).scan(unit.getTypeDecls(), null);
    }
  }

  /** Returns what stands at a place, or null if it is in no file of this compilation. */
  @Nullable Spot find(SourceLocation place) {
    String className = place.className();
    if (place.line() == 0) {
      String member = place.member();
      Spot found = null;
      if (member != null) {
        int end = member.indexOf('(');
        found = declarations.get(className + "#" + (end < 0 ? member : member.substring(0, end)));
      }
      return found == null ? declarations.get(className) : found;
    }
    int dot = className.lastIndexOf('.');
    TreeMap<Long, Spot> lines =
        files.get(key(dot < 0 ? "" : className.substring(0, dot), String.valueOf(place.file())));
    if (lines == null) {
      return null;
    }
    Map.Entry<Long, Spot> nearest = lines.floorEntry((long) place.line());
    return nearest == null ? null : nearest.getValue();
  }

  private static String key(String packageName, String file) {
    return packageName + "/" + file;
  }

  private static String packageOf(CompilationUnitTree unit) {
    return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
  }

  /** Walks through a file in the order of its text. */
  private final class Lines extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final LineMap lineMap;
    private final TreeMap<Long, Spot> lines;
    private final String text;

    /** How far in the text the walk has come. */
    private int cursor;

    Lines(CompilationUnitTree unit, TreeMap<Long, Spot> lines) {
      this.unit = unit;
      this.lineMap = unit.getLineMap();
      this.lines = lines;
      this.text = textOf(unit);
    }

    private static String textOf(CompilationUnitTree unit) {
      try {
        return unit.getSourceFile().getCharContent(true).toString();
      } catch (IOException e) {
        return ""; // lines that begin with a dot are found by the line before
      }
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void unused) {
      if (tree == null) {
        return null;
      }
      long start = start(unit, tree);
      if (start != Diagnostic.NOPOS) {
        cursor = Math.max(cursor, (int) start);
        boolean declares =
            tree instanceof StatementTree
                || tree instanceof MethodTree
                || tree instanceof VariableTree;
        if (declares || tree instanceof ExpressionTree) {
          add(tree, lineMap.getLineNumber(start), declares);
        }
      }
      super.scan(tree, null);
      if (tree instanceof MemberSelectTree select) {
        int at = text.indexOf(select.getIdentifier().toString(), cursor);
        if (at >= 0) {
          cursor = at;
          add(tree, lineMap.getLineNumber(at), false);
        }
      }
      return null;
    }

    private void add(Tree tree, long line, boolean declares) {
      Spot there = lines.get(line);
      if (there == null || declares && there.tree() instanceof ExpressionTree) {
        lines.put(line, new Spot(unit, tree, line));
      }
    }
  }

  /** Walks through a class that the compiler has analyzed, and all within it. */
  private final class Declarations extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;

    Declarations(CompilationUnitTree unit) {
      this.unit = unit;
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
      if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
        String name = elements.getBinaryName(type).toString();
        Tree parent = getCurrentPath().getParentPath().getLeaf();
        declare(name, parent instanceof NewClassTree ? parent : tree);
        for (Tree each : tree.getMembers()) {
          if (each instanceof VariableTree field) {
            declare(name + "#" + field.getName(), field);
          } else if (each instanceof MethodTree method) {
            declare(name + "#" + method.getName(), method);
          }
        }
      }
      return super.visitClass(tree, null);
    }

    private void declare(String name, Tree tree) {
      long line = unit.getLineMap().getLineNumber(Math.max(0, start(unit, tree)));
      declarations.putIfAbsent(name, new Spot(unit, tree, line));
    }
  }

  private long start(CompilationUnitTree unit, Tree tree) {
    return trees.getSourcePositions().getStartPosition(unit, tree);
  }
}
