package dev.takt.mutation;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link Worker} and the lines to and from it. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final PrintStream tasks;
  private final BufferedReader answers;

  /**
   * Starts one.
   *
   * @param folders with the classes that it defines itself
   */
  WorkerProcess(List<Path> folders) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Xmx768m", "-Xss1m", "-ea", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-XX:+EnableDynamicAgentLoading", "-Xshare:auto"));
    for (String each : List.of("takt.root", "takt.data", "takt.seed")) {
      String value = System.getProperty(each);
      if (value != null) {
        command.add("-D" + each + "=" + value);
      }
    }
    command.add("-D" + Worker.FOLDERS + "=" + joined(folders.stream().map(Path::toString)));
    command.addAll(List.of("-cp", libraries(), Worker.class.getName()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    process = builder.start();
    tasks = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** What this JVM has, but of Takt's modules only the tester. */
  private static String libraries() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path own = Modules.origin(Worker.class);
    return joined(
        Stream.concat(
            Stream.of(own.toString()),
            Stream.of(path.split(File.pathSeparator))
                .filter(each -> !Path.of(each).startsWith(Modules.ROOT))));
  }

  private static String joined(Stream<String> paths) {
    return paths.collect(Collectors.joining(File.pathSeparator));
  }

  /** Tells it what to do. */
  void tell(String... words) {
    tasks.println(String.join("\t", words));
  }

  /** Returns the words of its next line, or null if it has ended. */
  String[] answer() throws IOException {
    String line = answers.readLine();
    return line == null ? null : line.split("\t", -1);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
