package dev.takt.cli;

import dev.takt.client.Takt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code takt host} in processes of their own, small, and ended with the test. */
final class HostRuns implements AutoCloseable {
  private final String name;
  private final List<Process> processes = new ArrayList<>();

  /** Makes none yet; all are of one name. */
  HostRuns(String name) {
    this.name = name;
  }

  /** Compiles a program whose class {@code app.Main} registers tasks. */
  static Path compile(Path folder, String program) throws IOException {
    Path classes = UserProgram.compile(folder, program);
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve("dev.takt.reflex.HostedTasks"), "app.Main\n");
    return classes;
  }

  /**
   * Starts one, whose standard error the caller reads.
   *
   * @param options of the JVM beside those of its memory
   * @param words behind the name
   */
  Process start(Map<String, String> environment, List<String> options, String... words)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xms128m",
                "-Xmx128m",
                "-Xmn96m"));
    command.addAll(options);
    command.addAll(
        List.of("-cp", System.getProperty("jdk.module.path"), Main.class.getName(), "host", name));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  /** Ends all, and removes what those have left that were killed. */
  @Override
  public void close() throws IOException {
    for (Process each : processes) {
      each.destroyForcibly().onExit().join();
    }
    if (Files.exists(Takt.folder(name))) {
      try (Stream<Path> left = Files.walk(Takt.folder(name))) {
        for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
