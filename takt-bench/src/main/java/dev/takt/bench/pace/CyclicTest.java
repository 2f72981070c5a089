package dev.takt.bench.pace;

import dev.takt.bench.Figure;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The usual floor of timers on Linux, where it is installed: {@code cyclictest}. */
public final class CyclicTest {
  private static final int MAX_US = 10_000;

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
  public static Figure run(long durationMs) throws IOException, InterruptedException {
    long loops = durationMs * 1_000_000 / PacedRun.PERIOD_NS;
    Process process =
        new ProcessBuilder(
                "cyclictest",
                "--quiet",
                "--threads=1",
                "--interval=" + PacedRun.PERIOD_NS / 1_000,
                "--loops=" + loops,
                "--histogram=" + MAX_US)
            .redirectErrorStream(true)
            .start();
    try (var output = process.inputReader()) {
      process.getOutputStream().close();
      List<String> lines = output.readAllLines();
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
  static Figure parse(List<String> lines) throws IOException {
    Histogram latenessNs = Figure.histogram();
    long misses = 0;
    for (String line : lines) {
      String[] columns = line.trim().split("\\s+");
      if (columns.length == 2 && columns[0].matches("\\d+") && columns[1].matches("\\d+")) {
        long ns = Long.parseLong(columns[0]) * 1_000;
        long count = Long.parseLong(columns[1]);
        if (count > 0) {
          latenessNs.recordValueWithCount(ns, count);
          misses += ns >= PacedRun.PERIOD_NS ? count : 0;
        }
      } else if (line.startsWith("# Max Latencies:")) {
        latenessNs.recordValue(Long.parseLong(columns[columns.length - 1]) * 1_000);
      }
    }
    if (latenessNs.getTotalCount() < 2) {
      throw new IOException("cyclictest printed no histogram: " + String.join("\n", lines));
    }
    return new Figure(latenessNs, 1, 0)
        .with("periods", latenessNs.getTotalCount() - 1)
        .with("misses", misses);
  }
}
