package dev.takt.bench.cpu;

import dev.takt.bench.measure.ChildRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code takt top}, looking ten times a second at all Takt processes of this user, in a process of
 * its own.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class TopView implements AutoCloseable {
  private final Process process;
  private final Path output;

  private TopView(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts it; it takes some hundred milliseconds to look for the first time. */
  public static TopView start() throws IOException {
    Path output = Files.createTempFile("takt-top", ".json");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ChildRun.JVM_FLAGS);
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx64m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.takt.cli.Main"));
    command.addAll(List.of("top", "--json", "--interval", "0.1"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new TopView(process, output);
  }

  /** Returns how often it has seen a task of a name. */
  public long looks(String task) throws IOException {
    try (Stream<String> lines = Files.lines(output)) {
      return lines.filter(each -> each.contains('"' + task + '"')).count();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(output);
  }
}
