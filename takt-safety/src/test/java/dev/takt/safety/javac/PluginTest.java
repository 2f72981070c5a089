package dev.takt.safety.javac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Stable;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
  void shouldStartByItselfOnTheClassPathWhenProcessorsRun() throws Exception {
    assertThat(javac("-proc:full", "-cp", path(Compilation.pluginPath(), space())))
        .contains("Buyer.java:2: error: [R8]");
  }

  @Test
  void shouldStartByItselfOnTheClassPathWhenTheOutputIsThereToo() throws Exception {
    String classPath =
        path(Files.createDirectory(folder.resolve("classes")), Compilation.pluginPath(), space());

    assertThat(javac("-cp", classPath)).contains("Buyer.java:2: error: [R8]");
  }

  @Test
  void shouldSayWhatIsMissingWhenNothingShowsTheOutput() throws Exception {
    assertThat(javac("-cp", path(Compilation.pluginPath(), space())))
        .contains("warning: ", "processor path", "-proc:full")
        .doesNotContain("[R8]");
  }

  @Test
  void shouldStartByItselfOnTheProcessorPath() throws Exception {
    assertThat(javac("-processorpath", Compilation.pluginPath().toString(), "-cp", path(space())))
        .contains("[R8]");
  }

  @Test
  void shouldReportOnceWhenItIsAskedForToo() throws Exception {
    assertThat(javac("-Xplugin:Takt", "-proc:full", "-cp", path(Compilation.pluginPath(), space())))
        .containsOnlyOnce("[R8]");
  }

  @Test
  void shouldLeaveNoClassOfACompilationWithAnError() throws Exception {
    javac("-processorpath", Compilation.pluginPath().toString(), "-cp", path(space()));

    assertThat(folder.resolve("classes").toFile().list()).isEmpty();
  }

  @Test
  void shouldLeaveOlderCopiesOnTheClassPathAlone() throws Exception {
    Path older = Files.createDirectory(folder.resolve("older"));
    compile(VIOLATION, "-proc:none", "-cp", path(space()));
    Path copy = Files.copy(folder.resolve("classes/Buyer.class"), older.resolve("Buyer.class"));
    byte[] compiled = Files.readAllBytes(copy);
    String classPath = path(older, Compilation.pluginPath(), space());

    assertThat(javac("-proc:none", "-cp", classPath))
        .contains("warning: ", "does not see where the compiler writes")
        .doesNotContain("has failed");

    assertThat(copy).hasBinaryContent(compiled);
  }

  @Test
  void shouldLeaveOlderCopiesAloneWhenTheOutputIsBehindThemOnTheClassPath() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    compile(VIOLATION.replace("Object", "long"), "-proc:none", "-cp", path(space()));
    Path older = Files.createDirectory(folder.resolve("older"));
    Path copy = Files.copy(classes.resolve("Buyer.class"), older.resolve("Buyer.class"));
    byte[] compiled = Files.readAllBytes(copy);
    String classPath = path(older, classes, Compilation.pluginPath(), space());

    assertThat(javac("-proc:none", "-cp", classPath)).contains("Buyer.java:2: error: [R8]");

    assertThat(copy).hasBinaryContent(compiled);
    assertThat(classes.resolve("Buyer.class")).doesNotExist();
  }

  @Test
  void shouldFindClassesBesideTheirSources() throws Exception {
    Path source = Files.writeString(folder.resolve("Buyer.java"), VIOLATION);
    String classPath = path(Compilation.pluginPath(), space());

    assertThat(run("-proc:none", "-cp", classPath, source.toString())).contains("error: [R8]");

    assertThat(folder.resolve("Buyer.class")).doesNotExist();
  }

  @Test
  void shouldLeaveClassesOfOtherFoldersBelowItsOutputAlone() throws Exception {
    Path inside = Files.createDirectories(folder.resolve("classes/job/classes"));
    Path other =
        Files.writeString(folder.resolve("Buyer.java"), VIOLATION.replace("Object", "long"));
    run("-proc:none", "-d", inside.toString(), "-cp", path(space()), other.toString());
    Path copy = inside.resolve("Buyer.class");
    byte[] compiled = Files.readAllBytes(copy);

    assertThat(javac("-proc:full", "-cp", path(Compilation.pluginPath(), space())))
        .contains("Buyer.java:2: error: [R8]")
        .doesNotContain("has failed", "[R1]");

    assertThat(copy).hasBinaryContent(compiled);
  }

  @Test
  void shouldCheckAModule() throws Exception {
    assertThat(module("-processorpath")).contains("Buyer.java:2: error: [R8]");
  }

  /** There the compiler loads plugins and processors apart. */
  @Test
  void shouldCheckAModuleWhenItIsOnTheProcessorModulePath() throws Exception {
    assertThat(module("--processor-module-path")).contains("Buyer.java:2: error: [R8]");
  }

  private String module(String option) throws Exception {
    Path description =
        Files.writeString(
            folder.resolve("module-info.java"), "module app { requires dev.takt.space; }");
    return javac(
        option,
        Compilation.pluginPath().toString(),
        "--module-path",
        space().toString(),
        description.toString());
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

  /**
   * Runs the compiler as a process of its own, so that it sees nothing of this one's class path.
   */
  private String javac(String... options) throws IOException, InterruptedException {
    return compile(inPackage(options), options);
  }

  private String compile(String text, String... options) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("Buyer.java"), text);
    List<String> all = new ArrayList<>(List.of("-d", folder.resolve("classes").toString()));
    all.addAll(List.of(options));
    all.add(source.toString());
    return run(all.toArray(String[]::new));
  }

  private static String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of(options));
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
