package dev.takt.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a program of the tests in a JVM of its own. */
public final class OtherJvm {
  private static final int TIMEOUT_SECONDS = 60;

  private OtherJvm() {}

  /**
   * Runs a main class, which prints a few lines at most, and returns what it printed. Fails unless
   * it ends in time, and well.
   */
  public static String run(Class<?> main, String... options)
      throws IOException, InterruptedException {
    return run(List.of(), main, options);
  }

  /** The same, in a process that may open so many descriptors. */
  public static String runWithin(int descriptors, Class<?> main, String... options)
      throws IOException, InterruptedException {
    String script = "ulimit -n " + descriptors + " && exec \"$@\"";
    List<String> limited = new ArrayList<>(List.of(options));
    limited.add("-XX:-MaxFDLimit"); // or the JVM raises it as far as it may
    return run(List.of("sh", "-c", script, "sh"), main, limited.toArray(String[]::new));
  }

  private static String run(List<String> through, Class<?> main, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(through);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(List.of(options));
    String classPath =
        Unprivileged.classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(List.of("-cp", classPath, main.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("it has ended").isTrue();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
