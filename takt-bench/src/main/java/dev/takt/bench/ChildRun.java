package dev.takt.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs one measurement in a JVM of its own, so that nothing that was compiled, allocated or
 * profiled for another one counts, and reads its figure from what it prints.
 */
public final class ChildRun {
  /**
   * A measurement that needs threads of its own: all that it can do with its arguments is to give a
   * figure.
   */
  @FunctionalInterface
  public interface Body {
    /** Measures. */
    Figure run(List<String> arguments) throws Exception;
  }

  /**
   * The flags of every measuring JVM, Takt's and the peers'. Takt needs none; this one lets JMH's
   * own use of Unsafe pass without a warning.
   */
  static final List<String> JVM_FLAGS = List.of("--sun-misc-unsafe-memory-access=allow");

  private static final long LIMIT_S = 120;

  private ChildRun() {}

  /**
   * Runs the body in a new JVM, with some more flags than all have. Its class needs a public
   * constructor without arguments.
   */
  static Figure forked(List<String> flags, Class<? extends Body> body, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.addAll(flags);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ChildRun.class.getName(),
            body.getName()));
    command.addAll(arguments);
    Path output = Files.createTempFile("takt-bench", ".out");
    try {
      Process child =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended;
      try {
        child.getOutputStream().close();
        ended = child.waitFor(LIMIT_S, TimeUnit.SECONDS);
      } finally {
        child.destroyForcibly();
      }
      List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
      return lines.stream()
          .filter(Figure::isLine)
          .findFirst()
          .map(Figure::fromLine)
          .orElseThrow(() -> new IOException(failure(ended, child, lines)));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static String failure(boolean ended, Process child, List<String> lines) {
    String how =
        ended
            ? "the measuring JVM exited with " + child.exitValue()
            : "no figure within " + LIMIT_S + " s";
    return how + ":\n" + String.join("\n", lines.subList(0, Math.min(lines.size(), 20)));
  }

  /** The main program of the new JVM: the name of the body and its arguments. */
  public static void main(String[] arguments) throws Exception {
    Body body = Class.forName(arguments[0]).asSubclass(Body.class).getConstructor().newInstance();
    System.out.println(body.run(List.of(arguments).subList(1, arguments.length)).toLine());
    System.out.flush();
    System.exit(0); // threads that a measurement could not stop must not keep this JVM alive
  }
}
