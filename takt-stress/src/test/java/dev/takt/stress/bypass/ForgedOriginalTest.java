package dev.takt.stress.bypass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.classes.OriginalClass;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Woven classes that keep an original which they were not made of. */
class ForgedOriginalTest {
  private static final String TASK =
      """
      package app;
      public final class Task extends dev.takt.reflex.ReflexTask {
        private int at;
        @Override public void execute() { at = Helper.twice(at); }
      }
      """;

  private static final String HELPER =
      """
      package app;
      public final class Helper {
        public static int twice(int n) { for (int i = 0; i < 1; i++) { n += n; } return n; }
      }
      """;

  @TempDir private Path folder;

  private static void register(ReflexTask task) {
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create())) {
      runtime.active("task", task, Schedule.periodic(1_000_000));
    }
  }

  private static void forge(Path helper) throws IOException {
    byte[] harmless = Files.readAllBytes(helper);
    Path evil = helper.resolveSibling("Helper.evil");
    byte[] blocking = Files.readAllBytes(evil);
    Files.write(helper, OriginalClass.keep(blocking, harmless));
    Files.delete(evil);
  }

  @Test
  void shouldFindNothingInWhatTheWeaverHasMade() throws IOException {
    Application application =
        new Application(folder).with("app", "app.Helper", HELPER).with("app", "app.Task", TASK);
    application.weave();

    assertThat(application.findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"app", "library"})
  void shouldRefuseAForgedOriginalInTheCheck(String where) throws IOException {
    Application evil =
        new Application(folder.resolve("evil"))
            .with("app", "app.Helper", HELPER.replace("static int", "static synchronized int"));
    Application application =
        new Application(folder).with(where, "app.Helper", HELPER).with("app", "app.Task", TASK);
    Path helper = application.folder(where).resolve("app/Helper.class");
    Files.copy(
        evil.folder("app").resolve("app/Helper.class"), helper.resolveSibling("Helper.evil"));
    forge(helper);

    assertThat(application.findings()).extracting(Finding::rule).containsExactly(Rule.R1);
    assertThat(application.findings().getFirst().message()).contains("app.Helper");
  }

  @Test
  void shouldRefuseByTheSameRuleInTheCheckAndAtRegistrationWhatWasWovenForAnotherProgram()
      throws Exception {
    String more = HELPER.replace("public static int twice", MORE + " public static int twice");
    Application other =
        new Application(folder.resolve("second"))
            .with("app", "app.Helper", more)
            .with("app", "app.Task", TASK.replace("Helper.twice", "Helper.other"));
    other.weave();
    Application application =
        new Application(folder).with("app", "app.Helper", more).with("app", "app.Task", TASK);
    application.weave();
    Files.copy(
        other.folder("app").resolve("app/Helper.class"),
        application.folder("app").resolve("app/Helper.class"),
        StandardCopyOption.REPLACE_EXISTING);

    assertThat(application.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.rule()).isEqualTo(Rule.R1))
        .satisfies(finding -> assertThat(finding.message()).contains("app.Helper"));
    try (URLClassLoader loader = application.plainLoader("app")) {
      ReflexTask task = (ReflexTask) loader.loadClass("app.Task").getConstructor().newInstance();
      assertThatThrownBy(() -> register(task))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("R1")
          .hasMessageContaining("app.Helper");
    }
  }

  private static final String MORE =
      "public static int other(int n) { while (n < 9) { n++; } return n; }";
}
