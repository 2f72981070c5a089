package dev.takt.safety.corpus;

import com.sun.source.util.JavacTask;
import dev.takt.safety.Programs;
import dev.takt.safety.javac.TaktPlugin;
import dev.takt.safety.javac.TaktProcessor;
import dev.takt.space.Stable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles programs in this JVM, with and without the plugin. The compiler's view of the JDK and of
 * the stubs is kept from one program to the next.
 */
final class CorpusCompiler implements AutoCloseable {
  private static final Path STUBS = Path.of("src/test/resources/stubs");

  /** Hides the plugin, which is on this JVM's class path and would start by itself. */
  private static final class WithoutPlugins
      extends ForwardingJavaFileManager<StandardJavaFileManager> {
    WithoutPlugins(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public ClassLoader getClassLoader(Location location) {
      return ClassLoader.getPlatformClassLoader();
    }
  }

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
  private final Path folder;
  private final List<Path> takt;
  private int outputs;

  /**
   * Makes one.
   *
   * @param folder for what it writes
   */
  CorpusCompiler(Path folder) {
    this.folder = folder;
    Path space = codeOf(Stable.class);
    Path reflex = newFolder();
    List<Path> stubs;
    try (Stream<Path> all = Files.walk(STUBS)) {
      stubs = all.filter(each -> each.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    mustCompile(stubs, List.of(space), reflex);
    try {
      Programs.describeModule(reflex, "dev.takt.reflex");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    takt = List.of(reflex, space);
  }

  /** Returns the folders of what every program uses: the stubs and the event space. */
  List<Path> takt() {
    return takt;
  }

  /** Compiles sources without the plugin into a new folder; they must be good Java. */
  Path compile(List<Path> sources, List<Path> libraries) {
    Path output = newFolder();
    mustCompile(sources, withTakt(libraries), output);
    return output;
  }

  /** Compiles the library of a program, if it has one. */
  List<Path> libraries(Program program) {
    return program.library().map(source -> compile(List.of(source), List.of())).stream().toList();
  }

  /** Compiles a source with the plugin and returns what it says. */
  List<Sighting> check(Path source, List<Path> libraries) {
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    JavacTask task = task(List.of(source), withTakt(libraries), newFolder(), said, "-proc:full");
    new TaktPlugin().init(task);
    task.setProcessors(List.of(new TaktProcessor()));
    task.call();
    return said.getDiagnostics().stream()
        .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
        .map(Sighting::of)
        .toList();
  }

  private void mustCompile(List<Path> sources, List<Path> classPath, Path output) {
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    if (!task(sources, classPath, output, said, "-proc:none").call()) {
      throw new AssertionError(sources + " must compile, but: " + said.getDiagnostics());
    }
  }

  private JavacTask task(
      List<Path> sources,
      List<Path> classPath,
      Path output,
      DiagnosticCollector<JavaFileObject> said,
      String processing) {
    try {
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (JavacTask)
        compiler.getTask(
            null,
            new WithoutPlugins(files),
            said,
            List.of(processing, "-g", "-Xlint:none", "-Xmaxerrs", "1000"),
            null,
            files.getJavaFileObjectsFromPaths(sources));
  }

  private List<Path> withTakt(List<Path> libraries) {
    List<Path> path = new ArrayList<>(libraries);
    path.addAll(takt);
    return path;
  }

  private Path newFolder() {
    try {
      return Files.createDirectory(folder.resolve("out" + outputs++));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
