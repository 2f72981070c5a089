package dev.takt.bench.pace;

import dev.takt.bench.measure.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The usual floor of timers on Linux, where it is installed: {@code cyclictest}. */
public final class CyclicTest {
  private static final int MAX_US = 200_000;

  private CyclicTest() {}

  /** Returns whether it can be run. */
  public static boolean isInstalled() {
    try {
      Process process =
          new ProcessBuilder("cyclictest", "--help")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return true;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Runs it with the period of {@link PacedRun} and no priority, as the measured threads have none.
   *
   * @param durationMs how long
   */
  public static Measurement run(long durationMs) throws IOException, InterruptedException {
    long loops = durationMs * 1_000_000 / PacedRun.PERIOD_NS;
    return figure(wakeUps(PacedRun.PERIOD_NS, loops, List.of()));
  }

  /**
   * Runs it, without letting it tune the machine for its own time.
   *
   * @param periodNs the time between two wake-ups, in nanoseconds; whole microseconds
   * @param loops how many wake-ups
   * @param options more options, such as the priority
   * @return how late the wake-ups were, in nanoseconds, and how many were so late
   */
  public static SortedMap<Long, Long> wakeUps(long periodNs, long loops, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("cyclictest");
    command.addAll(
        List.of(
            "--quiet",
            "--default-system",
            "--threads=1",
            "--interval=" + periodNs / 1_000,
            "--loops=" + loops,
            "--histogram=" + MAX_US));
    command.addAll(options);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.inputReader()) {
      process.getOutputStream().close();
      // Of 200,000 lines nearly all say 0: they are not even kept.
      List<String> lines = output.lines().filter(line -> !line.endsWith(" 000000")).toList();
      if (process.waitFor() != 0) {
        throw new IOException(
            "cyclictest exited with " + process.exitValue() + ": " + String.join("\n", lines));
      }
      return parse(lines);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Reads its histogram: how late each wake-up was, in microseconds, and how many were so late. */
  static SortedMap<Long, Long> parse(List<String> lines) throws IOException {
    SortedMap<Long, Long> wakeUps = new TreeMap<>();
    long maxNs = 0;
    for (String line : lines) {
      String[] columns = line.trim().split("\\s+");
      if (columns.length == 2 && columns[0].matches("\\d+") && columns[1].matches("\\d+")) {
        add(wakeUps, Long.parseLong(columns[0]) * 1_000, Long.parseLong(columns[1]));
      } else if (line.startsWith("# Max Latencies:")) {
        maxNs = Long.parseLong(columns[columns.length - 1]) * 1_000;
      } else if (line.matches("# Histogram Overflows: \\d+")) {
        add(wakeUps, maxNs, Long.parseLong(columns[columns.length - 1]));
      }
    }
    if (wakeUps.isEmpty()) {
      throw new IOException("cyclictest printed no histogram: " + String.join("\n", lines));
    }
    return wakeUps;
  }

  private static void add(SortedMap<Long, Long> counts, long key, long count) {
    if (count > 0) {
      counts.merge(key, count, Long::sum);
    }
  }

  /**
   * Returns how late each due time was served. cyclictest skips the due times that a late wake-up
   * has passed, so a wake-up that is {@code l} late serves due times {@code l, l - period, l - 2
   * periods, ...} late, above zero.
   */
  public static SortedMap<Long, Long> dueTimes(SortedMap<Long, Long> wakeUps, long periodNs) {
    SortedMap<Long, Long> dueTimes = new TreeMap<>();
    wakeUps.forEach(
        (lateNs, count) -> {
          for (long ns = lateNs; ns == lateNs || ns > 0; ns -= periodNs) {
            add(dueTimes, ns, count);
          }
        });
    return dueTimes;
  }

  static Measurement figure(SortedMap<Long, Long> wakeUps) {
    Histogram latenessNs = Measurement.histogram();
    long misses = 0;
    for (Map.Entry<Long, Long> each : dueTimes(wakeUps, PacedRun.PERIOD_NS).entrySet()) {
      latenessNs.recordValueWithCount(each.getKey(), each.getValue());
      misses += each.getKey() >= PacedRun.PERIOD_NS ? each.getValue() : 0;
    }
    return new Measurement(latenessNs, 1, 0)
        .with("periods", latenessNs.getTotalCount())
        .with("misses", misses);
  }
}
