package dev.takt.safety.javac;

import dev.takt.safety.Programs;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * One run of the compiler with the plugin on its processor path, into a folder that is deleted
 * afterwards. Programs see takt-space and the stubs of takt-reflex.
 */
final class Compilation {
  private static final Pattern CLASS = Pattern.compile("(?:class|interface|record|enum) (\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern RULE = Pattern.compile(".*?\\[(R\\d+)] .*", Pattern.DOTALL);

  final List<Diagnostic<? extends JavaFileObject>> diagnostics;
  final boolean successful;

  /** The class files that were left, sorted. */
  final List<String> classes;

  private Compilation(
      List<Diagnostic<? extends JavaFileObject>> diagnostics,
      boolean successful,
      List<String> classes) {
    this.diagnostics = diagnostics;
    this.successful = successful;
    this.classes = classes;
  }

  /** Compiles sources, each one file. */
  static Compilation of(String... sources) {
    return run(List.of(), true, sources);
  }

  /** Compiles sources that do not see the task runtime. */
  static Compilation withoutRuntime(String... sources) {
    return run(List.of(), false, sources);
  }

  static Compilation run(List<String> options, boolean withRuntime, String... sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
    List<JavaFileObject> files = new ArrayList<>();
    for (String source : sources) {
      files.add(source(source));
    }
    List<String> all = new ArrayList<>(List.of("-g", "-processorpath", pluginPath().toString()));
    if (withRuntime) {
      all.add("-cp");
      all.add(
          String.join(
              File.pathSeparator, Programs.libraries().stream().map(Path::toString).toList()));
    }
    all.addAll(options);
    try (StandardJavaFileManager standard =
        compiler.getStandardFileManager(collector, null, null)) {
      Path output = Files.createTempDirectory("takt-compilation");
      try {
        standard.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
        boolean successful = compiler.getTask(null, standard, collector, all, null, files).call();
        return new Compilation(
            List.copyOf(collector.getDiagnostics()), successful, classesIn(output));
      } finally {
        Programs.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a source file with this text, named by the first type in it. */
  static JavaFileObject source(String text) {
    return new Source(name(text), text);
  }

  private static List<String> classesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(each -> folder.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  /** Where the plugin under test is. */
  static Path pluginPath() {
    try {
      return Path.of(TaktPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String name(String source) {
    Matcher type = CLASS.matcher(source);
    if (!type.find()) {
      throw new IllegalArgumentException("no class in: " + source);
    }
    Matcher inPackage = PACKAGE.matcher(source);
    return (inPackage.find() ? inPackage.group(1).replace('.', '/') + "/" : "") + type.group(1);
  }

  /** Returns what the plugin has found, as {@code R8 Buyer.java:3}, in order. */
  List<String> findings() {
    List<String> found = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> each : diagnostics) {
      Matcher rule = RULE.matcher(each.getMessage(null));
      if (rule.matches()) {
        String file = Path.of(each.getSource().getName()).getFileName().toString();
        found.add(rule.group(1) + " " + file + ":" + each.getLineNumber());
      }
    }
    return found;
  }

  /** Returns the messages of what the plugin has found. */
  List<String> messages() {
    return diagnostics.stream().map(each -> each.getMessage(null)).toList();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
