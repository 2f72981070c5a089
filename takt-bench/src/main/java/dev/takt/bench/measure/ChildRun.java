package dev.takt.bench.measure;

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
    Measurement run(List<String> arguments) throws Exception;
  }

  /**
   * The flags of every measuring JVM, Takt's and the peers': one lets JMH's own use of Unsafe pass
   * without a warning, the other lets Takt ask the operating system for real-time services, as the
   * launcher does.
   */
  public static final List<String> JVM_FLAGS =
      List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");

  private static final long LIMIT_S = 120;

  private ChildRun() {}

  /**
   * Runs the body in a new JVM, with some more flags than all have. Its class needs a public
   * constructor without arguments.
   */
  public static Measurement forked(
      List<String> flags, Class<? extends Body> body, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(body.getName()));
    all.addAll(arguments);
    List<String> lines = output(flags, ChildRun.class, all);
    return lines.stream()
        .filter(Measurement::isLine)
        .findFirst()
        .map(Measurement::fromLine)
        .orElseThrow(() -> new IOException("no figure:\n" + firstOf(lines)));
  }

  /**
   * Runs a main program in a new JVM, with some more flags than all have, and returns what it
   * printed.
   *
   * @throws IOException if it fails, or does not end in time; the message says what it printed
   */
  public static List<String> output(List<String> flags, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    return output(flags, main, arguments, LIMIT_S);
  }

  /** As {@link #output(List, Class, List)}, with a limit of seconds. */
  public static List<String> output(
      List<String> flags, Class<?> main, List<String> arguments, long limitS)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
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
        ended = child.waitFor(limitS, TimeUnit.SECONDS);
      } finally {
        child.destroyForcibly();
      }
      List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
      if (!ended || child.exitValue() != 0) {
        throw new IOException(
            (ended
                    ? "the measuring JVM exited with " + child.exitValue()
                    : "the measuring JVM has not ended within " + limitS + " s")
                + ":\n"
                + firstOf(lines));
      }
      return lines;
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static String firstOf(List<String> lines) {
    return String.join("\n", lines.subList(0, Math.min(lines.size(), 20)));
  }

  /** The main program of the new JVM: the name of the body and its arguments. */
  public static void main(String[] arguments) throws Exception {
    Body body = Class.forName(arguments[0]).asSubclass(Body.class).getConstructor().newInstance();
    System.out.println(body.run(List.of(arguments).subList(1, arguments.length)).toLine());
    System.out.flush();
    System.exit(0); // threads that a measurement could not stop must not keep this JVM alive
  }
}
