package dev.takt.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Where things are in this project, and how to start a program from a test. */
final class Project {
  /**
   * Modules that anyone may use on a stock JVM: no third-party code at run time, no flag, no
   * warning.
   */
  static final List<String> CORE =
      List.of(
          "takt-space",
          "takt-realtime",
          "takt-rtsj",
          "takt-cpu",
          "takt-safety",
          "takt-reflex",
          "takt-persist",
          "takt-session",
          "takt-client",
          "takt-host");

  static final Path ROOT = findRoot();

  private Project() {}

  /** The folders of all modules that have code. */
  static List<Path> modules() {
    return list(ROOT).stream()
        .filter(each -> each.getFileName().toString().startsWith("takt-"))
        .filter(each -> Files.isDirectory(each.resolve("src")))
        .toList();
  }

  static Path classes(String module) {
    return ROOT.resolve(module).resolve("target/classes");
  }

  /** All files below a folder whose name ends so, sorted; none if the folder is absent. */
  static List<Path> files(Path folder, String ending) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(each -> each.toString().endsWith(ending))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a program ended. */
  record Run(int exitCode, String out, String err) {}

  /**
   * Runs a program for at most two minutes in a folder, with more environment variables; JVM
   * options do not reach it.
   */
  static Run run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    return run(folder, environment, command, 2);
  }

  /** Runs a program that may take longer. */
  static Run run(
      Path folder, Map<String, String> environment, List<String> command, int timeoutMinutes)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("takt-out", ".txt");
    Path err = Files.createTempFile("takt-err", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      for (String option : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
        builder.environment().remove(option);
      }
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(timeoutMinutes, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            "still running after "
                + timeoutMinutes
                + " minutes: "
                + command
                + "\n"
                + read(out)
                + read(err));
      }
      return new Run(process.exitValue(), read(out), read(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** The tool of that name of the JDK that runs this test. */
  static String jdkTool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** Joins paths as the command line wants them. */
  static String path(List<Path> entries) {
    List<String> names = new ArrayList<>();
    entries.forEach(each -> names.add(each.toString()));
    return String.join(System.getProperty("path.separator"), names);
  }

  private static Path findRoot() {
    String told = System.getProperty("takt.root");
    Path folder = Path.of(told == null ? System.getProperty("user.dir") : told).toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve("takt-space"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException(
          "takt.root=" + told + " is not inside the project; start the tests with Maven");
    }
    return folder;
  }
}
