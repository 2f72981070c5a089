package dev.takt.stress.bypass;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexTask;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.load.Checker;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeaveResult;
import dev.takt.safety.load.WeavingLoader;
import dev.takt.space.Event;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A program of somebody else, compiled into folders beside the real takt. */
final class Application {
  private final Path root;
  private final Map<String, Path> folders = new LinkedHashMap<>();

  Application(Path root) {
    this.root = root;
  }

  /** Compiles a class into a folder, with the classes of all earlier folders on the class path. */
  Application with(String folder, String className, String source) throws IOException {
    Path into = Files.createDirectories(root.resolve(folder));
    folders.put(folder, into);
    compile(into, className, source);
    return this;
  }

  Path folder(String name) {
    return folders.get(name);
  }

  /** The rules that a check of the folder {@code app} finds broken; all others are libraries. */
  Set<Rule> check() throws IOException {
    return rules(findings());
  }

  List<Finding> findings() throws IOException {
    return Checker.check(List.of(folder("app")), libraries("app")).findings();
  }

  /** The rules for which the weaving loader refuses the folder {@code app}; empty if it loads. */
  Set<Rule> refusedByLoader() throws IOException {
    try {
      loader().close();
      return Set.of();
    } catch (UnsafeTasksException e) {
      return rules(e.findings());
    }
  }

  WeavingLoader loader() throws IOException, UnsafeTasksException {
    List<Path> own = new ArrayList<>(folders.values());
    own.remove(folder("app"));
    return WeavingLoader.open(
        List.of(folder("app")), own, takt(), Application.class.getClassLoader(), false);
  }

  /** Weaves the folder {@code app} in place, as a build does, with the others as libraries. */
  void weave() throws IOException {
    WeaveResult weaving =
        new FolderWeaver(folder("app"), null, null, libraries("app")).weave(false);
    if (!weaving.isClean()) {
      throw new AssertionError(FindingText.of(weaving.findings()));
    }
  }

  /** Runs the folders as they are, the first one named first on the class path. */
  URLClassLoader plainLoader(String... names) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String each : names) {
      urls.add(folder(each).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), Application.class.getClassLoader());
  }

  /** All other folders, then takt. */
  List<Path> libraries(String but) {
    List<Path> libraries = new ArrayList<>(folders.values());
    libraries.remove(folder(but));
    libraries.addAll(takt());
    return libraries;
  }

  private static Set<Rule> rules(List<Finding> findings) {
    Set<Rule> rules = new TreeSet<>();
    findings.stream().filter(Finding::isError).map(Finding::rule).forEach(rules::add);
    return rules;
  }

  /** The parts of takt that tasks use, as this test sees them. */
  static List<Path> takt() {
    return Stream.of(Event.class, NanoClock.class, RealtimeThread.class, ReflexTask.class)
        .map(Application::place)
        .toList();
  }

  private static Path place(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private void compile(Path into, String className, String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    String path =
        String.join(File.pathSeparator, libraries("none").stream().map(Path::toString).toList());
    List<String> options = List.of("-proc:none", "-g", "-d", into.toString(), "-cp", path);
    SimpleJavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + className.replace('.', '/') + ".java"),
            SimpleJavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        JavaFileManager files = new WithoutPlugins(standard)) {
      if (!compiler.getTask(messages, files, null, options, null, List.of(file)).call()) {
        throw new AssertionError(messages.toString());
      }
    }
  }

  /** Keeps the compiler from finding takt's plugin on the class path of the tests. */
  private static final class WithoutPlugins extends ForwardingJavaFileManager<JavaFileManager> {
    WithoutPlugins(JavaFileManager files) {
      super(files);
    }

    @Override
    public ClassLoader getClassLoader(Location location) {
      return ClassLoader.getPlatformClassLoader();
    }
  }
}
