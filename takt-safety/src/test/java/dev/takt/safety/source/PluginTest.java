package dev.takt.safety.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import dev.takt.space.Stable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginTest {
  private static final String VIOLATION =
      """
      class Buyer implements dev.takt.space.Stable {
        private Object tag;
      }
      """;

  @TempDir Path folder;

  @Test
  void shouldStartByItselfOnTheClassPath() throws Exception {
    assertThat(javac("-cp", path(Compilation.pluginPath(), space()))).contains("Buyer.java:2: ");
  }

  @Test
  void shouldStartByItselfOnTheProcessorPath() throws Exception {
    assertThat(javac("-processorpath", Compilation.pluginPath().toString(), "-cp", path(space())))
        .contains("[R8]");
  }

  @Test
  void shouldReportOnceWhenItIsAskedForToo() throws Exception {
    assertThat(javac("-Xplugin:Takt", "-cp", path(Compilation.pluginPath(), space())))
        .containsOnlyOnce("[R8]");
  }

  @Test
  void shouldStartOnTheProcessorModulePath() throws Exception {
    Files.writeString(
        folder.resolve("module-info.java"), "module app { requires dev.takt.space; }");

    assertThat(
            javac(
                "--processor-module-path",
                Compilation.pluginPath().toString(),
                "--module-path",
                space().toString(),
                folder.resolve("module-info.java").toString()))
        .contains("[R8]");
  }

  @Test
  void shouldStaySilentWhenAnotherProcessorPathIsGiven() throws Exception {
    assertThat(
            javac(
                "-processorpath",
                folder.toString(),
                "-cp",
                path(Compilation.pluginPath(), space())))
        .isEmpty();
  }

  @Test
  void shouldDoNothingWhenTheRuntimeIsNotThere() {
    Compilation compilation =
        Compilation.withoutRuntime("class Main { static Object last; synchronized void run() {} }");

    assertThat(compilation.successful).isTrue();
    assertThat(compilation.messages()).isEmpty();
  }

  @Test
  void shouldLeaveOrdinaryCodeAlone() {
    Compilation compilation =
        Compilation.of(
            """
            class Main {
              static java.util.List<String> all = new java.util.ArrayList<>();
              synchronized void run() throws Exception {
                all.add("x" + System.in.read());
                new Thread(() -> System.out.println(all)).start();
              }
            }
            """,
            """
            class Idle extends dev.takt.reflex.ReflexTask {
              public void execute() {}
            }
            """);

    assertThat(compilation.messages()).isEmpty();
    assertThat(compilation.successful).isTrue();
  }

  @Test
  void shouldNotHideErrorsOfTheProgram() {
    Compilation compilation =
        Compilation.of(
            """
            class Broken extends dev.takt.reflex.ReflexTask {
              private Missing missing;
              public void execute() { missing.call(undefined); }
            }
            """);

    assertThat(compilation.successful).isFalse();
    assertThat(compilation.messages()).isNotEmpty().noneMatch(each -> each.contains("Takt plugin"));
    assertThat(compilation.findings()).isEmpty();
  }

  @Test
  void shouldWarnOnceWhenItFailsItself() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Buyer.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return "class Buyer implements dev.takt.space.Stable { private int tag; }";
          }
        };
    List<String> options =
        List.of("-processorpath", folder.toString(), "-d", folder.toString(), "-cp", path(space()));
    JavacTask task = (JavacTask) compiler.getTask(null, null, said, options, null, List.of(source));
    task.addTaskListener(
        new CompilationListener(
            task,
            (sources, complete) -> {
              throw new IllegalStateException("as a test");
            }));

    assertThat(task.call()).isTrue();
    assertThat(said.getDiagnostics())
        .filteredOn(each -> each.getMessage(null).contains("as a test"))
        .singleElement()
        .extracting(Diagnostic::getKind)
        .isEqualTo(Diagnostic.Kind.WARNING);
  }

  /**
   * Runs the compiler as a process of its own, so that it sees nothing of this one's class path.
   */
  private String javac(String... options) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("Buyer.java"), inPackage(options));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-d", folder.resolve("classes").toString()));
    command.addAll(List.of(options));
    command.add(source.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return output;
  }

  /** A module needs a package. */
  private static String inPackage(String... options) {
    return List.of(options).contains("--module-path") ? "package app; " + VIOLATION : VIOLATION;
  }

  private static Path space() {
    try {
      return Path.of(Stable.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String path(Path... entries) {
    return List.of(entries).stream()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
