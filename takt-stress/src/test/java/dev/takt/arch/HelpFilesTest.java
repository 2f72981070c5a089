package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Help and completion, from which the launcher answers without a build, are those of the commands.
 */
class HelpFilesTest {
  private static final String REMEDY =
      "an option has changed; write them anew: ./takt help --write";

  @TempDir private Path folder;

  @Test
  void shouldSayWhatTheCommandsSay() throws Exception {
    Path launcher = Project.ROOT.resolve("launcher");
    Project.Run run = takt("write-help", folder.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();

    List<Path> written = Project.files(folder, "");
    assertThat(written).hasSizeGreaterThan(10);
    for (Path each : written) {
      Path kept = launcher.resolve(folder.relativize(each).toString());
      assertThat(kept).as(REMEDY).hasSameTextualContentAs(each);
    }
    assertThat(Project.files(launcher.resolve("help"), ".txt"))
        .as(REMEDY)
        .hasSameSizeAs(Project.files(folder.resolve("help"), ".txt"));
    assertThat(Project.read(launcher.resolve("completion")))
        .contains("--train", "--realtime", "--full", "rtj", "predict", "10x");
  }

  /**
   * Commands and names of files are copied from it: a line must not break them, nor end in one's
   * middle.
   */
  @Test
  void shouldBreakLinesBetweenWords() throws Exception {
    for (Path each : Project.files(Project.ROOT.resolve("launcher/help"), ".txt")) {
      assertThat(Project.read(each))
          .as("%s", each)
          .doesNotContainPattern("(?m)[ (<][.]$|in place:$");
      assertThat(Project.read(each).lines())
          .as("%s: examples and what the environment says are not wrapped", each)
          .allMatch(line -> line.length() <= 80);
    }
  }

  /** All modules that bring commands, as the launcher puts them together. */
  private static Project.Run takt(String... arguments) throws Exception {
    List<Path> classPath = new ArrayList<>();
    for (String each :
        List.of(
            "space",
            "realtime",
            "cpu",
            "safety",
            "reflex",
            "persist",
            "session",
            "client",
            "host",
            "cli",
            "samples",
            "bench")) {
      classPath.add(Project.classes("takt-" + each));
    }
    for (String each : List.of("samples", "bench")) {
      classPath.addAll(Project.files(Project.ROOT.resolve("takt-" + each + "/target/lib"), ".jar"));
    }
    List<String> command =
        new ArrayList<>(
            List.of(Project.jdkTool("java"), "-cp", Project.path(classPath), "dev.takt.cli.Main"));
    command.addAll(List.of(arguments));
    return Project.run(Project.ROOT, Map.of(), command);
  }
}
