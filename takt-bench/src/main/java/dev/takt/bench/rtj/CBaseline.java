package dev.takt.bench.rtj;

import dev.takt.cli.doctor.CommandOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The floor: the same tests in C, by the same definitions, with the same priorities, compiled with
 * {@code cc} when the suite starts. What it cannot keep, nothing on this machine can.
 */
final class CBaseline {
  private static final List<String> SOURCES =
      List.of("floor.h", "common.c", "flight.c", "frames.c", "locks.c", "rest.c");
  private static final List<String> TABLES = List.of("gains.csv", "derivatives.csv");
  private static final long COMPILE_LIMIT_S = 30;
  private static final long SPARE_S = 20;

  private final Path program;

  private CBaseline(Path program) {
    this.program = program;
  }

  /** Returns a floor that was compiled before. */
  static CBaseline at(Path program) {
    return new CBaseline(program);
  }

  /**
   * Compiles it.
   *
   * @param folder an empty folder of one's own
   * @return the program
   * @throws IOException if there is no {@code cc}, or it does not compile; the message says why
   */
  static Path compile(Path folder) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("cc", "-O2", "-ffp-contract=off", "-pthread", "-o"));
    Path program = folder.resolve("floor");
    command.add(program.toString());
    for (String source : SOURCES) {
      Path file = copy(source, folder.resolve(source));
      if (source.endsWith(".c")) {
        command.add(file.toString());
      }
    }
    for (String table : TABLES) {
      copy("flight/" + table, folder.resolve(table));
    }
    command.add("-lm");
    CommandOutput output = output(command, COMPILE_LIMIT_S);
    if (!Files.isExecutable(program)) {
      throw new IOException("cc " + output.failure().replace('\n', ' '));
    }
    return program;
  }

  private static Path copy(String resource, Path file) throws IOException {
    try (InputStream in = CBaseline.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("takt-bench was built without its resource " + resource);
      }
      Files.copy(in, file);
      return file;
    }
  }

  /**
   * Runs one kind of it.
   *
   * @param kind which, as the program names it
   * @param frames how many frames, and how long one is
   * @param priority of the measured thread
   * @param background how many lower threads there are
   * @param cpu where it runs; -1: anywhere
   */
  Samples run(String kind, Frames frames, int priority, int background, int cpu)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            program.toString(),
            kind,
            Integer.toString(frames.count()),
            Long.toString(frames.periodNs()),
            Integer.toString(priority),
            Integer.toString(background),
            Integer.toString(cpu),
            String.valueOf(program.toAbsolutePath().getParent()));
    Samples samples =
        Samples.fromJson(output(command, frames.durationNs() / 1_000_000_000 + SPARE_S).text());
    if (samples.facts().isEmpty()) {
      throw new IOException("the floor " + kind + " came to no end");
    }
    return samples;
  }

  private static CommandOutput output(List<String> command, long limitS)
      throws IOException, InterruptedException {
    CommandOutput output = CommandOutput.of(command, TimeUnit.SECONDS.toNanos(limitS));
    if (!output.ended()) {
      throw new IOException(command.getFirst() + " has not ended within " + limitS + " s");
    }
    return output;
  }
}
