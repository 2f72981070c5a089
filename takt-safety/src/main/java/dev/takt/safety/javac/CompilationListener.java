package dev.takt.safety.javac;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.UnreadableClassException;
import dev.takt.safety.javac.SourceIndex.Spot;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.PlainCode;
import dev.takt.safety.weave.Weaver;
import dev.takt.safety.weave.WeavingException;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.annotation.processing.Filer;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/** Verifies and weaves the classes of a compilation when the compiler has written them. */
final class CompilationListener implements TaskListener {
  /** A finding and where to report it. */
  private record Located(Finding finding, Spot spot) {}

  private static final String STABLE = "dev/takt/space/Stable";
  private static final String PERSISTENT = "dev.takt.persist.annotation.Persistent";
  private static final String STOPPABLE = "dev.takt.realtime.stop.Stoppable";

  private final JavacTask task;
  private final Trees trees;
  private final TaktPlugin.Mode mode;
  private final SourceIndex index;
  private final List<Conversion> conversions = new ArrayList<>();

  /** The top-level classes that are parsed and not yet written. */
  private final Set<String> expected = new HashSet<>();

  /** The classes that are written, by internal name. */
  private final Set<String> written = new TreeSet<>();

  private final OutputFolder folder = new OutputFolder();
  private @Nullable CompilationUnitTree anyUnit;
  private boolean asked;
  private boolean done;

  CompilationListener(JavacTask task, TaktPlugin.Mode mode) {
    this.task = task;
    this.mode = mode;
    this.trees = Trees.instance(task);
    this.index = new SourceIndex(trees, task.getElements());
  }

  /** Shows where the compiler writes classes. */
  void attach(Filer filer) {
    folder.ask(filer);
  }

  @Override
  public void started(TaskEvent event) {
    if (!done && event.getKind() == TaskEvent.Kind.GENERATE) {
      guard(() -> generating(event));
    }
  }

  @Override
  public void finished(TaskEvent event) {
    if (event.getKind() == TaskEvent.Kind.COMPILATION) {
      FilerExchange.end();
    }
    if (done) {
      return;
    }
    guard(
        () -> {
          switch (event.getKind()) {
            case PARSE -> parsed(event.getCompilationUnit());
            case ANALYZE -> analyzed(event.getCompilationUnit(), event.getTypeElement());
            case GENERATE -> generated(event.getTypeElement());
            case COMPILATION -> {
              done = true;
              run();
            }
            default -> {}
          }
        });
  }

  /** What is done at an event. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /** A failure of the plugin is a warning, and the end of its work. */
  private void guard(Step step) {
    try {
      step.run();
    } catch (RuntimeException | StackOverflowError | LinkageError | IOException failure) {
      done = true;
      warn(
          "The Takt plugin has failed: it checks and weaves nothing more in this compilation ("
              + failure
              + "). takt check and takt weave do the same. Please report this.");
    }
  }

  private void parsed(CompilationUnitTree unit) {
    anyUnit = unit;
    String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
    for (Tree each : unit.getTypeDecls()) {
      if (each instanceof ClassTree type) {
        expected.add(prefix + type.getSimpleName());
      }
    }
  }

  /** The trees have to be read now, because the compiler rewrites them soon after. */
  private void analyzed(CompilationUnitTree unit, @Nullable TypeElement type) {
    if (!asked) {
      asked = true;
      done =
          task.getElements().getTypeElement(STABLE.replace('/', '.')) == null
              && task.getElements().getTypeElement(STOPPABLE) == null
              && task.getElements().getTypeElement(PERSISTENT) == null;
    }
    if (done || type == null) {
      return;
    }
    TreePath root = new TreePath(unit);
    for (Tree each : unit.getTypeDecls()) {
      TreePath path = new TreePath(root, each);
      if (type.equals(trees.getElement(path))) {
        index.add(unit, path);
        new ConversionScanner(trees, task.getElements(), task.getTypes(), unit, conversions)
            .scan(path, null);
      }
    }
  }

  private void generating(TaskEvent event) throws IOException {
    if (event.getTypeElement() != null && event.getSourceFile() != null) {
      String name = task.getElements().getBinaryName(event.getTypeElement()).toString();
      if (isClass(name)) {
        folder.expect(name.replace('.', '/'), event.getSourceFile());
      }
    }
  }

  /** Descriptions of modules and packages are none. */
  private static boolean isClass(String name) {
    return !name.endsWith("-info");
  }

  private void generated(@Nullable TypeElement type) {
    if (type != null) {
      String name = task.getElements().getBinaryName(type).toString();
      expected.remove(name);
      if (isClass(name)) {
        written.add(name.replace('.', '/'));
      }
    }
  }

  /** Checks and weaves, unless the compiler has found errors and so not written all classes. */
  private void run() throws IOException {
    if (!expected.isEmpty() || written.isEmpty()) {
      return;
    }
    Path output = folder.find(written);
    if (output == null) {
      if (definesStable() || asksForStopSites()) {
        warn(
            "The Takt plugin does not see where the compiler writes classes: nothing is checked"
                + " nor woven. Put takt-safety on the processor path or give the compiler"
                + " -proc:full; and an output folder on the disk (-d).");
      }
      return;
    }
    try (ClassWorld all = open(output, Set.of())) {
      Set<String> strays = strays(all);
      if (strays.isEmpty()) {
        runIfNeeded(all, output);
      } else {
        try (ClassWorld own = open(output, strays)) {
          runIfNeeded(own, output);
        }
      }
    } catch (UnreadableClassException | WeavingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void runIfNeeded(ClassWorld world, Path output) throws IOException {
    if (world.application().stream().anyMatch(each -> isForTheWeaver(world, each))) {
      run(world, output);
    }
  }

  private ClassWorld open(Path output, Set<String> strays) throws IOException {
    CompilerPath path = new CompilerPath(task.getElements());
    Predicate<String> includes = strays.isEmpty() ? null : each -> !strays.contains(each);
    return ClassWorld.open(List.of(output), includes, List.of(), path::find);
  }

  /** Returns what lies in the folder and is no class of it, as the output of another build. */
  private Set<String> strays(ClassWorld world) {
    Set<String> strays = new HashSet<>();
    for (String each : world.application()) {
      try {
        world.info(each);
      } catch (UnreadableClassException e) {
        if (!written.contains(each)) {
          strays.add(each);
        }
      }
    }
    return strays;
  }

  private static boolean isForTheWeaver(ClassWorld world, String name) {
    return world.isSubtype(name, STABLE) || PlainCode.asks(world, name);
  }

  private void run(ClassWorld world, Path output) throws IOException {
    findLibraries(world);
    boolean checked = mode != TaktPlugin.Mode.UNCHECKED;
    Verifier.Result result = checked ? Verifier.verify(world) : Verifier.unchecked(world);
    List<Finding> findings = new ArrayList<>(result.findings());
    for (Conversion each : conversions) {
      if (checked && result.closures().stream().anyMatch(each::isIn)) {
        findings.add(each.finding());
      }
    }
    Map<String, byte[]> woven = Map.of();
    if (mode != TaktPlugin.Mode.CHECK && findings.stream().noneMatch(Finding::isError)) {
      boolean debug = mode == TaktPlugin.Mode.DEBUG;
      List<Finding> more = checked ? findings : new ArrayList<>();
      woven = Weaver.weave(world, result.closures(), checked, debug, more::add);
    }
    report(findings);
    if (findings.stream().anyMatch(Finding::isError)) {
      deleteWritten(output);
    } else if (mode != TaktPlugin.Mode.CHECK) {
      FolderWeaver.replace(output, world, woven);
    }
  }

  /**
   * Looks up what the program names anywhere, so that the world has its libraries: an object of
   * theirs may come into a task that does not know its class.
   */
  private static void findLibraries(ClassWorld world) {
    for (String each : world.application()) {
      try {
        ClassModel model = world.find(each);
        if (model != null) {
          for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry named) {
              world.find(named.asInternalName());
            }
          }
        }
      } catch (UnreadableClassException e) {
        continue; // the verifier reports it if a task needs it
      }
    }
  }

  private boolean definesStable() {
    TypeElement stable = task.getElements().getTypeElement(STABLE.replace('/', '.'));
    return stable != null
        && defined().anyMatch(each -> task.getTypes().isSubtype(each.asType(), stable.asType()));
  }

  private boolean asksForStopSites() {
    return defined()
        .flatMap(each -> each.getAnnotationMirrors().stream())
        .anyMatch(each -> each.getAnnotationType().toString().equals(STOPPABLE));
  }

  private Stream<TypeElement> defined() {
    return written.stream()
        .map(each -> each.replace('/', '.').replace('$', '.'))
        .flatMap(each -> Stream.ofNullable(task.getElements().getTypeElement(each)));
  }

  /** An error leaves no class behind, so that the next build compiles, and fails, again. */
  private void deleteWritten(Path output) throws IOException {
    for (String each : written) {
      Files.deleteIfExists(output.resolve(each + ".class"));
    }
  }

  private void report(List<Finding> findings) {
    List<Located> reports = new ArrayList<>();
    for (Finding each : findings) {
      Spot spot = spot(each);
      if (spot != null) {
        reports.add(new Located(each, spot));
      } else if (anyUnit != null) { // of a class that an earlier compilation has left
        trees.printMessage(kind(each), text(each) + " (at " + each.place() + ")", anyUnit, anyUnit);
      }
    }
    List<CompilationUnitTree> units =
        reports.stream().map(each -> each.spot().unit()).distinct().toList();
    reports.sort(
        Comparator.<Located>comparingInt(each -> units.indexOf(each.spot().unit()))
            .thenComparingLong(each -> each.spot().line()));
    for (Located each : reports) {
      trees.printMessage(
          kind(each.finding()), text(each.finding()), each.spot().tree(), each.spot().unit());
    }
  }

  /**
   * Where a finding is; of one in a library, or without code, the place in this compilation that
   * leads there.
   */
  private @Nullable Spot spot(Finding finding) {
    Spot spot = finding.place().line() == 0 ? null : index.find(finding.place());
    List<SourceLocation> path = finding.path();
    for (int i = path.size() - 1; spot == null && i >= 0; i--) {
      spot = path.get(i).line() == 0 ? null : index.find(path.get(i));
    }
    return spot == null ? index.find(finding.place()) : spot;
  }

  private static Diagnostic.Kind kind(Finding finding) {
    return finding.severity() == Severity.ERROR ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING;
  }

  private static String text(Finding finding) {
    StringBuilder text = new StringBuilder("[").append(finding.rule()).append("] ");
    sentence(text, finding.message());
    if (!finding.path().isEmpty()) {
      sentence(
          text,
          "reached: "
              + String.join(
                  " -> ", finding.path().stream().map(SourceLocation::toString).toList()));
    }
    Rule rule = finding.rule();
    sentence(text, rule.reason());
    sentence(text, rule.remedy());
    return text.toString();
  }

  private static void sentence(StringBuilder text, String sentence) {
    if (!sentence.isEmpty()) {
      if (text.charAt(text.length() - 1) != ' ') {
        text.append(' ');
      }
      text.append(sentence).append(sentence.endsWith(".") ? "" : ".");
    }
  }

  private void warn(String text) {
    CompilationUnitTree unit = anyUnit;
    if (unit != null) {
      trees.printMessage(Diagnostic.Kind.WARNING, text, unit, unit);
    }
  }
}
