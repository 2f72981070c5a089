package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jcstress tests in a JVM of their own, for some seconds, or for long in the full run. */
class JcstressTest {
  private static final int TESTS = 27;
  private static final Pattern SUMMARY =
      Pattern.compile(
          "Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard"
              + " errs");

  @TempDir private Path folder;

  @Test
  void shouldSeeNoForbiddenOutcome() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of("org.openjdk.jcstress.Main", "-t", "dev\\.takt\\.stress\\..*"));
    // Monitors then run on the kernel's futex.
    command.addAll(List.of("-jvmArgsPrepend", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-r", folder.toString(), "-c", "2", "-af", "NONE"));
    command.addAll(
        Seeds.isFull()
            ? List.of("-m", "default")
            : List.of(
                "-sc",
                "false",
                "-f",
                "1",
                "-iters",
                "1",
                "-time",
                "300",
                "-jvmArgs",
                "-XX:+UseSerialGC"));
    File log = folder.resolve("log").toFile();
    Process jcstress =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    int exitCode;
    try {
      exitCode = jcstress.waitFor();
    } finally {
      jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
      jcstress.destroyForcibly();
    }
    check(exitCode, Files.readString(log.toPath()));
  }

  private static void check(int exitCode, String output) {
    Matcher summary = SUMMARY.matcher(output);
    int planned = 0;
    int passed = 0;
    while (summary.find()) {
      planned = Integer.parseInt(summary.group(1));
      passed = Integer.parseInt(summary.group(2));
      assertThat(summary.group(3)).as("failed: %s", output).isEqualTo("0");
      assertThat(summary.group(4)).as("soft errors: %s", output).isEqualTo("0");
      assertThat(summary.group(5)).as("hard errors: %s", output).isEqualTo("0");
    }
    System.out.printf("jcstress: %d configurations planned, %d passed%n", planned, passed);
    assertThat(passed)
        .as("passed configurations: %s", output)
        .isEqualTo(planned)
        .isGreaterThanOrEqualTo(TESTS);
    assertThat(exitCode).as("%s", output).isZero();
  }
}
