package dev.takt.bench.measure;

import dev.takt.cli.doctor.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs one measurement in a JVM of its own, so that nothing that was compiled, allocated or
 * profiled for another one counts. Its options and what it finds are JSON, see {@link Wire}.
 */
public final class ChildRun {
  /**
   * A measurement that needs threads of its own: a public record, whose components are its options.
   *
   * @param <R> the type of what it finds
   */
  public interface Body<R> {
    /** Measures. */
    R run() throws Exception;
  }

  /**
   * The flags of every measuring JVM, Takt's and the peers': one lets JMH's own use of Unsafe pass
   * without a warning, the other lets Takt ask the operating system for real-time services, as the
   * launcher does.
   */
  public static final List<String> JVM_FLAGS =
      List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");

  private ChildRun() {}

  /**
   * Runs the body in a new JVM, with some more flags than all have.
   *
   * @param result the type of what it finds
   * @throws IOException if it fails, or does not end in time; the message has what it printed
   */
  public static <R> R forked(List<String> flags, Body<R> body, Class<R> result, long limitS)
      throws IOException, InterruptedException {
    return forked(Unprivileged.AS_IT_IS, flags, body, result, limitS);
  }

  /** Does the same without privileges. */
  public static <R> R forked(
      Unprivileged user, List<String> flags, Body<R> body, Class<R> result, long limitS)
      throws IOException, InterruptedException {
    Path found = Files.createTempFile("takt-bench", ".json");
    try {
      user.own(found);
      List<String> command = new ArrayList<>(user.before());
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(JVM_FLAGS);
      command.addAll(flags);
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), ChildRun.class.getName()));
      command.addAll(List.of(body.getClass().getName(), Wire.JSON_OF_RECORDS.asString(body)));
      command.add(found.toString());
      CommandOutput output = CommandOutput.of(command, TimeUnit.SECONDS.toNanos(limitS));
      if (!output.isGood()) {
        throw new IOException("the measuring JVM " + output.failure());
      }
      return Wire.JSON_OF_RECORDS.beanFrom(result, found.toFile());
    } finally {
      Files.deleteIfExists(found);
    }
  }

  /** The main program of the new JVM: the class of the body, its options, and where to write. */
  public static void main(String[] arguments) throws Exception {
    Class<?> type = Class.forName(arguments[0]);
    Body<?> body = (Body<?>) Wire.JSON_OF_RECORDS.beanFrom(type, arguments[1]);
    Wire.JSON_OF_RECORDS.write(body.run(), Path.of(arguments[2]).toFile());
    System.out.flush();
    System.exit(0); // threads that a measurement could not stop must not keep this JVM alive
  }
}
