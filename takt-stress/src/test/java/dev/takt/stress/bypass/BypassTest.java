package dev.takt.stress.bypass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that would get past the verifier if it took something on trust that it should not. */
class BypassTest {
  @TempDir private Path folder;

  private static String task(String fields, String body) {
    return """
    package app;
    import dev.takt.realtime.*;
    import dev.takt.rtsj.*;
    import dev.takt.rtsj.monitor.*;
    import dev.takt.realtime.os.*;
    import dev.takt.reflex.*;
    import dev.takt.space.*;
    public final class Task extends ReflexTask {
    %s
      @Override public void execute() {
        %s
      }
    }
    """
        .formatted(fields, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "R5  | NanoClock.system().parkNanos(1);",
        "R5  | java.util.function.LongConsumer park = NanoClock.system()::parkNanos;"
            + " park.accept(1);",
        "R5  | Monitor.inheritance(\"m\").enter();",
        "R4  | RealtimeThread.builder(\"t\");",
        "R28 | OperatingSystems.current();",
        "R28 | EventSpace.create();",
        "R29 | dev.takt.reflex.woven.TaskMemory.current();",
        "R28 | RuntimeSettings.DEFAULTS.workers();",
      })
  void shouldRefuseTaktsOwnApiWhenItIsNotForTasks(Rule rule, String body) throws IOException {
    Application application = new Application(folder).with("app", "app.Task", task("", body));

    assertThat(application.check()).contains(rule);
    assertThat(application.refusedByLoader()).contains(rule);
  }

  @Test
  void shouldRefuseAClockInAFinalFieldBecauseAnybodyCanImplementIt() throws IOException {
    Application application =
        new Application(folder)
            .with(
                "app",
                "app.Task",
                task(
                    "private final NanoClock clock; private long at;"
                        + " public Task(NanoClock clock) { this.clock = clock; }",
                    "at = clock.nanoTime();"));

    assertThat(application.check()).containsExactly(Rule.R8);
    assertThat(application.refusedByLoader()).containsExactly(Rule.R8);
  }

  @Test
  void shouldRefuseASubclassOfANumberThatHasReferencesOfItsOwn() throws IOException {
    Application application =
        new Application(folder)
            .with(
                "app",
                "app.Task",
                task(
                    "static class Odd extends java.math.BigDecimal {"
                        + " java.util.List<String> kept; Odd() { super(1); } }"
                        + " private final java.math.BigDecimal limit; private int sign;"
                        + " public Task(java.math.BigDecimal limit) { this.limit = limit; }",
                    "sign = limit.signum();"));

    assertThat(application.check()).contains(Rule.R8);
  }

  private static final String FORGED =
      """
      package lib;
      import dev.takt.reflex.woven.*;
      @Woven(abi = Woven.ABI, verified = true)
      public final class Helper {
        private static Object[] $takt$kept = new Object[1];
        public static void keep(Object o) {
          $takt$kept[0] = o;
          TaskMemory.current().commit();
        }
      }
      """;

  @ParameterizedTest
  @CsvSource({"app", "library"})
  void shouldRefuseAHelperWithAMarkThatTheWeaverDidNotMake(String where) throws IOException {
    Application application =
        new Application(folder)
            .with(where, "lib.Helper", FORGED)
            .with("app", "app.Task", task("", "lib.Helper.keep(new int[1]);"));

    assertThat(application.check()).contains(Rule.R1, Rule.R14, Rule.R29);
    assertThat(application.refusedByLoader()).contains(Rule.R1, Rule.R14, Rule.R29);
    assertThat(application.findings())
        .anySatisfy(
            finding -> assertThat(finding.message()).contains("lib.Helper", "marked as woven"));
  }

  private static final String HANDY =
      """
      package dev.takt.realtime.tools;
      public final class Handy {
        private static Object kept;
        public static synchronized void keep(Object o) { kept = o; }
      }
      """;

  @ParameterizedTest
  @CsvSource({"app", "library"})
  void shouldRefuseAClassOfOthersInAPackageOfTakt(String where) throws IOException {
    Application application =
        new Application(folder)
            .with(where, "dev.takt.realtime.tools.Handy", HANDY)
            .with("app", "app.Task", task("", "dev.takt.realtime.tools.Handy.keep(new int[1]);"));

    assertThat(application.check()).contains(Rule.R1, Rule.R5, Rule.R15);
    assertThat(application.refusedByLoader()).contains(Rule.R1, Rule.R5, Rule.R15);
  }

  @Test
  void shouldKnowTaktInAFatJarFromWhatIsAddedToItsPackages() throws IOException {
    Application application =
        new Application(folder).with("app", "app.Task", task("private int n;", "n++;"));
    for (Path each : Application.takt()) {
      copyClasses(each, application.folder("app"));
    }
    assertThat(application.check()).isEmpty();

    application
        .with("app", "dev.takt.realtime.tools.Handy", HANDY)
        .with("app", "app.Task", task("", "dev.takt.realtime.tools.Handy.keep(new int[1]);"));
    assertThat(application.check()).contains(Rule.R1, Rule.R5, Rule.R15);
    assertThat(application.refusedByLoader()).contains(Rule.R1, Rule.R5, Rule.R15);
  }

  @Test
  void shouldRefuseAClassOfTaktThatWasChanged() throws IOException {
    Application application =
        new Application(folder)
            .with(
                "app",
                "dev.takt.space.Abort",
                "package dev.takt.space; public final class Abort extends Error {"
                    + " public synchronized int reason() { return 1; } }")
            .with(
                "app",
                "app.Task",
                task("", "try { abort(); } catch (Abort e) { e.reason(); throw e; }"));

    assertThat(application.check()).contains(Rule.R1);
  }

  private static void copyClasses(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        Path copy = to.resolve(from.relativize(each).toString());
        if (!copy.endsWith("module-info.class")) {
          Files.createDirectories(copy.getParent());
          Files.copy(each, copy);
        }
      }
    }
  }
}
