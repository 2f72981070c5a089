package dev.takt.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The tool that is commonly used to measure timers, if it is installed: a C program, so what it
 * shows is the machine's share of the lateness. It counts whole microseconds.
 */
public final class Cyclictest {
  /** Later wake-ups are counted by their largest alone. */
  private static final int MAX_US = 200_000;

  private final Path program;

  private Cyclictest(Path program) {
    this.program = program;
  }

  /** Returns the one on the path of commands of this process, if there is one. */
  public static Optional<Cyclictest> installed() {
    return find(Optional.ofNullable(System.getenv("PATH")).orElse(""));
  }

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
   * Runs it with the period of {@link LatenessMeter}.
   *
   * @param durationNs for how long, in nanoseconds
   * @param priority 1 to 99
   * @return absent if it refuses, for example without privileges
   */
  Optional<Histogram> measure(long durationNs, int priority) {
    long loops = Math.max(1, durationNs / LatenessMeter.PERIOD_NS);
    Histogram histogram = TimeMeasurement.emptyHistogram();
    try {
      wakeUps(LatenessMeter.PERIOD_NS, loops, List.of("-p", Integer.toString(priority)))
          .forEach(histogram::recordValueWithCount);
      return Optional.of(histogram);
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Runs it, without letting it tune the machine for itself where it can do without.
   *
   * @param periodNs the time between two wake-ups, in nanoseconds; whole microseconds
   * @param loops how many wake-ups
   * @param options more options, such as the priority
   * @return how late the wake-ups were, in nanoseconds, and how many were so late
   * @throws IOException if it fails or has measured nothing; the message holds what it printed
   */
  public SortedMap<Long, Long> wakeUps(long periodNs, long loops, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString(), "-q"));
    command.addAll(options);
    command.addAll(List.of("-i", Long.toString(periodNs / 1_000)));
    command.addAll(List.of("-l", Long.toString(loops), "-h", Integer.toString(MAX_US)));
    List<String> untuned = new ArrayList<>(command);
    untuned.add("--default-system"); // unknown to versions before 2
    long limitNs = 2 * periodNs * loops + TimeUnit.SECONDS.toNanos(10);
    try {
      return parse(output(untuned, limitNs));
    } catch (IOException e) {
      return parse(output(command, limitNs));
    }
  }

  private static String output(List<String> command, long limitNs)
      throws IOException, InterruptedException {
    CommandOutput output = CommandOutput.of(command, limitNs);
    if (!output.isGood()) {
      throw new IOException("cyclictest " + output.failure());
    }
    return output.text();
  }

  /** Reads its histogram: lines of a latency in microseconds and how often it was seen. */
  static SortedMap<Long, Long> parse(String output) throws IOException {
    SortedMap<Long, Long> wakeUps = new TreeMap<>();
    long overflows = 0;
    long maxUs = MAX_US;
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
        if (us.isPresent() && us.getAsLong() >= 0) {
          add(wakeUps, us.getAsLong(), count.orElse(0));
        }
      }
    }
    add(wakeUps, maxUs, overflows);
    if (wakeUps.isEmpty()) {
      throw new IOException("cyclictest printed no histogram: " + start(output));
    }
    return wakeUps;
  }

  private static void add(SortedMap<Long, Long> wakeUps, long us, long count) {
    if (count > 0) {
      wakeUps.merge(Math.min(us, TimeMeasurement.MAX_NS / 1_000) * 1_000, count, Long::sum);
    }
  }

  private static String start(String output) {
    return output.substring(0, Math.min(output.length(), 1_000)).strip();
  }
}
