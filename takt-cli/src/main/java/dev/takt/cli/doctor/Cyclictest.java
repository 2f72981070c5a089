package dev.takt.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The tool that everybody measures timers with, if it is installed: a C program, so what it shows
 * is the machine's share of the lateness. It counts whole microseconds.
 */
final class Cyclictest {
  /** Later wake-ups are counted by their largest alone. */
  private static final int MAX_US = 20_000;

  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int MAX_OUTPUT_BYTES = 4 << 20;

  private final Path program;

  private Cyclictest(Path program) {
    this.program = program;
  }

  /** The one on the path of commands, if there is one. */
  static Optional<Cyclictest> find(String searchPath) {
    for (String folder : searchPath.split(File.pathSeparator)) {
      try {
        Path program = Path.of(folder).resolve("cyclictest");
        if (program.isAbsolute() && Files.isRegularFile(program) && Files.isExecutable(program)) {
          return Optional.of(new Cyclictest(program));
        }
      } catch (InvalidPathException e) {
        continue; // what is no path holds no program
      }
    }
    return Optional.empty();
  }

  /**
   * Runs it with the period of {@link LatenessMeter}, without letting it tune the machine for
   * itself where it can do without.
   *
   * @param durationNs for how long, in nanoseconds
   * @param priority 1 to 99
   * @return absent if it refuses, for example without privileges
   */
  Optional<Histogram> measure(long durationNs, int priority) {
    long loops = Math.max(1, durationNs / LatenessMeter.PERIOD_NS);
    List<String> command = new ArrayList<>(List.of(program.toString(), "-q"));
    command.addAll(List.of("-p", Integer.toString(priority)));
    command.addAll(List.of("-i", Long.toString(LatenessMeter.PERIOD_NS / 1_000)));
    command.addAll(List.of("-l", Long.toString(loops), "-h", Integer.toString(MAX_US)));
    List<String> untuned = new ArrayList<>(command);
    untuned.add("--default-system"); // unknown to versions before 2
    long limitNs = durationNs + GRACE_NS;
    return run(untuned, limitNs).or(() -> run(command, limitNs));
  }

  private static Optional<Histogram> run(List<String> command, long limitNs) {
    Path output = null;
    try {
      output = Files.createTempFile("takt-doctor", ".txt");
      output.toFile().deleteOnExit(); // should somebody end this process meanwhile
      return run(command, output, limitNs);
    } catch (IOException e) {
      return Optional.empty();
    } finally {
      delete(output);
    }
  }

  private static Optional<Histogram> run(List<String> command, Path output, long limitNs)
      throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limitNs, TimeUnit.NANOSECONDS) || process.exitValue() != 0) {
        return Optional.empty();
      }
      try (InputStream in = Files.newInputStream(output)) {
        return parse(new String(in.readNBytes(MAX_OUTPUT_BYTES), StandardCharsets.US_ASCII));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // it goes when the process ends
    }
  }

  /** Its histogram: lines of a latency in microseconds and how often it was seen. */
  static Optional<Histogram> parse(String output) {
    Histogram histogram = TimeMeasurement.emptyHistogram();
    long overflows = 0;
    long maxUs = 0;
    for (String line : output.lines().toList()) {
      if (line.startsWith("# Histogram Overflows:")) {
        overflows = FileSystemRoot.parse(line.substring(line.indexOf(':') + 1)).orElse(0);
      } else if (line.startsWith("# Max Latencies:")) {
        maxUs = FileSystemRoot.parse(line.substring(line.indexOf(':') + 1)).orElse(0);
      } else {
        String[] words = line.strip().split("\\s+");
        OptionalLong us = FileSystemRoot.parse(words[0]);
        OptionalLong count =
            words.length == 2 ? FileSystemRoot.parse(words[1]) : OptionalLong.empty();
        if (us.isPresent() && us.getAsLong() >= 0 && count.isPresent() && count.getAsLong() > 0) {
          histogram.recordValueWithCount(
              Math.clamp(us.getAsLong(), 0, TimeMeasurement.MAX_NS / 1_000) * 1_000,
              count.getAsLong());
        }
      }
    }
    if (overflows > 0) {
      long tooLateNs = Math.clamp(maxUs, MAX_US, TimeMeasurement.MAX_NS / 1_000) * 1_000;
      histogram.recordValueWithCount(tooLateNs, overflows);
    }
    return histogram.getTotalCount() == 0 ? Optional.empty() : Optional.of(histogram);
  }
}
