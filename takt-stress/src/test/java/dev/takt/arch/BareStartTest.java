package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Core modules and their samples start with a bare {@code java}: a module path, no other flag, and
 * no warning.
 */
class BareStartTest {
  /** Initializes every class of the module that it is given, in a JVM that has nothing else. */
  private static final String INITIALIZE_ALL =
      """
      package bare;

      public final class Main {
        public static void main(String[] arguments) throws Exception {
          Module module = ModuleLayer.boot().findModule(arguments[0]).orElseThrow();
          var reference = ModuleLayer.boot().configuration().findModule(arguments[0]).orElseThrow().reference();
          int count = 0;
          try (var reader = reference.open(); var names = reader.list()) {
            for (String name : names.filter(each -> each.endsWith(".class")).toList()) {
              if (!name.endsWith("-info.class")) {
                String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
                Class.forName(type, true, module.getClassLoader());
                count++;
              }
            }
          }
          System.out.println(count + " classes");
        }
      }
      """;

  private static final Map<String, List<String>> MODULE_PATHS =
      Map.of(
          "takt-space", List.of("takt-space"),
          "takt-realtime", List.of("takt-realtime"),
          "takt-rtsj", List.of("takt-rtsj", "takt-realtime"),
          "takt-cpu", List.of("takt-cpu", "takt-realtime", "takt-reflex", "takt-persist"),
          "takt-safety", List.of("takt-safety"),
          "takt-reflex", List.of("takt-reflex", "takt-space", "takt-realtime"),
          "takt-persist", List.of("takt-persist", "takt-reflex", "takt-space", "takt-realtime"),
          "takt-session", List.of("takt-session", "takt-space", "takt-cpu", "takt-realtime"),
          "takt-client", List.of("takt-client", "takt-space"),
          "takt-host",
              List.of(
                  "takt-host",
                  "takt-client",
                  "takt-session",
                  "takt-persist",
                  "takt-reflex",
                  "takt-cpu",
                  "takt-realtime",
                  "takt-space"));

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> shouldInitializeEveryClassOfACoreModuleAlone() {
    return Project.CORE.stream()
        .map(each -> DynamicTest.dynamicTest(each, () -> initializeAll(each)));
  }

  @Test
  void shouldInitializeEveryClassWithNativeAccess() throws IOException, InterruptedException {
    initializeAll("takt-realtime", "--enable-native-access=dev.takt.realtime");
    initializeAll("takt-rtsj", "--enable-native-access=dev.takt.realtime");
  }

  private void initializeAll(String module, String... options)
      throws IOException, InterruptedException {
    String name = "dev." + module.replace('-', '.');
    List<Path> modulePath = new ArrayList<>();
    MODULE_PATHS.get(module).forEach(each -> modulePath.add(Project.classes(each)));
    Path app =
        compile(module, "module bare { requires " + name + "; }", INITIALIZE_ALL, modulePath);
    modulePath.add(app);

    Project.Run run = java(List.of(options), modulePath, "bare/bare.Main", name);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).matches("[1-9]\\d* classes\\s*");
  }

  @TestFactory
  Stream<DynamicTest> shouldRunEverySample() {
    List<Path> samples =
        Project.files(Project.classes("takt-samples"), ".class").stream()
            .filter(each -> each.getFileName().toString().matches("Sample\\d+\\w*\\.class"))
            .toList();
    assertThat(samples).as("samples in takt-samples").isNotEmpty();
    return samples.stream()
        .map(each -> DynamicTest.dynamicTest(each.getFileName().toString(), () -> runSample(each)));
  }

  private static void runSample(Path sample) throws IOException, InterruptedException {
    List<Path> modulePath = new ArrayList<>();
    for (String each :
        List.of(
            "takt-samples",
            "takt-cli",
            "takt-host",
            "takt-client",
            "takt-safety",
            "takt-persist",
            "takt-session",
            "takt-reflex",
            "takt-space",
            "takt-rtsj",
            "takt-cpu",
            "takt-realtime")) {
      modulePath.add(Project.classes(each));
    }
    modulePath.add(Project.ROOT.resolve("takt-samples/target/lib"));
    String type =
        Project.classes("takt-samples")
            .relativize(sample)
            .toString()
            .replace(".class", "")
            .replace('/', '.');

    Project.Run run = java(modulePath, "dev.takt.samples/" + type);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).as("a sample shows something").isNotBlank();
  }

  @Test
  void shouldCatchAModuleThatWarns() throws IOException, InterruptedException {
    String unsafe =
        """
        package bare;

        public final class Main {
          public static void main(String[] arguments) throws Exception {
            var field = sun.misc.Un%s.class.getDeclaredField("theUn%s");
            field.setAccessible(true);
            ((sun.misc.Un%s) field.get(null)).allocateMemory(8);
          }
        }
        """
            .replace("%s", "safe");
    Path app = compile("warns", "module bare { requires jdk.unsupported; }", unsafe, List.of());

    assertThat(java(List.of(app), "bare/bare.Main").err()).contains("WARNING");
  }

  private static Project.Run java(List<Path> modulePath, String main, String... arguments)
      throws IOException, InterruptedException {
    return java(List.of(), modulePath, main, arguments);
  }

  private static Project.Run java(
      List<String> options, List<Path> modulePath, String main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Project.jdkTool("java")));
    command.addAll(options);
    command.addAll(List.of("-p", Project.path(modulePath), "-m", main));
    command.addAll(List.of(arguments));
    return Project.run(Project.ROOT, Map.of(), command);
  }

  private Path compile(String name, String moduleInfo, String main, List<Path> modulePath)
      throws IOException, InterruptedException {
    Path source = Files.createDirectories(folder.resolve(name + "/src/bare"));
    Path classes = folder.resolve(name + "/classes");
    Files.writeString(source.resolve("../module-info.java"), moduleInfo);
    Files.writeString(source.resolve("Main.java"), main);
    List<String> command =
        new ArrayList<>(List.of(Project.jdkTool("javac"), "-d", classes.toString()));
    if (!modulePath.isEmpty()) {
      command.addAll(List.of("-p", Project.path(modulePath)));
    }
    command.add(source.resolve("../module-info.java").normalize().toString());
    command.add(source.resolve("Main.java").toString());
    Project.Run run = Project.run(folder, Map.of(), command);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return classes;
  }
}
