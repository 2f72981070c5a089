package dev.takt.bench;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.pace.PacedRun;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.realtime.TimeText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A periodic task as a Takt task, with real-time scheduling and without, and as plain Java, while
 * another thread makes garbage.
 */
final class GcSuite {
  static final Suite SUITE =
      new Suite("gc", "Takt: periodic tasks beside a busy garbage collector", GcSuite::run);

  private static final List<String> PROGRAMS = List.of("plain", "takt", "realtime");

  /**
   * The same for all; how much of it is used at first is the collector's choice, as it is usual.
   */
  private static final String HEAP = "-Xmx512m";

  /** The collectors and their flags, in the order of the report. */
  private static final List<Map.Entry<String, String>> COLLECTORS =
      List.of(Map.entry("G1", "-XX:+UseG1GC"), Map.entry("ZGC", "-XX:+UseZGC"));

  /**
   * What the task and the other thread do.
   *
   * @param name the suffix of the results
   * @param periodNs the task's period
   * @param bytesPerSecond what the other thread allocates
   */
  private record Load(String name, long periodNs, long bytesPerSecond) {}

  private static final List<Load> LOADS =
      List.of(
          new Load("100us", PacedRun.PERIOD_NS, 500_000_000),
          new Load("5ms", 5_000_000, 100_000_000));

  private GcSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    runner.show(figure -> TimeText.rounded(figure.percentile(99.9)) + " (p99.9)");
    report.columns("late", "peer", "ratio", "p50", "p99", "max");
    Optional<Measurement> floor = floor(runner, report);
    for (Map.Entry<String, String> collector : COLLECTORS) {
      for (Load load : LOADS) {
        measure(runner, report, collector.getKey(), collector.getValue(), load, floor);
      }
    }
  }

  private static void measure(
      SuiteRunner runner,
      Report report,
      String collector,
      String flag,
      Load load,
      Optional<Measurement> floor)
      throws InterruptedException {
    Plot plot =
        Plot.histogram("From when it was due to its end, " + collector + ", " + load.name(), "ns")
            .mark("period", load.periodNs());
    Optional<Measurement> plain = Optional.empty();
    for (String program : PROGRAMS) {
      String name = program + "-" + collector.toLowerCase(Locale.ROOT) + "-" + load.name();
      Optional<Measurement> measured =
          paced(runner, name, List.of(HEAP, flag), program, load.periodNs(), load.bytesPerSecond());
      if (measured.isEmpty()) {
        continue;
      }
      Measurement figure = measured.get();
      Result result =
          figure
              .addPaced(report, name, 99.9)
              .with("collections", Math.round(figure.count("collections")))
              .with("other_mb_s", Math.round(figure.count("other_mb_s")));
      if (program.equals("plain")) {
        plain = measured;
      } else {
        plain.ifPresent(peer -> compare(result, figure, peer));
      }
      if (program.equals("realtime")) {
        result.with("fifo", figure.count("fifo") != 0);
      }
      plot.histogram(program, figure.batchNs());
    }
    if (load.periodNs() == PacedRun.PERIOD_NS) {
      floor.ifPresent(figure -> plot.histogram("floor", figure.batchNs()));
    }
    report.add(plot);
  }

  /** By the value, which is p99.9, and by p99. */
  private static void compare(Result result, Measurement figure, Measurement plain) {
    result
        .withPeer("plain", plain.percentile(99.9))
        .with("ratio_p99", Result.rounded(figure.percentile(99) / plain.percentile(99)));
  }

  private static Optional<Measurement> floor(SuiteRunner runner, Report report)
      throws InterruptedException {
    List<String> flags = List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC");
    Optional<Measurement> floor = paced(runner, "floor", flags, "nothing", PacedRun.PERIOD_NS, 0);
    floor.ifPresent(figure -> figure.addPaced(report, "floor", 99.9));
    runner.cyclictest(report).ifPresent(figure -> figure.addPaced(report, "cyclictest", 99.9));
    return floor;
  }

  private static Optional<Measurement> paced(
      SuiteRunner runner,
      String name,
      List<String> flags,
      String program,
      long periodNs,
      long bytesPerSecond)
      throws InterruptedException {
    RunProfile.Pace pace = runner.profile().pace();
    return runner.wovenChild(
        name,
        flags,
        new PacedRun(
            program, pace.warmupMs(), pace.measurementMs(), bytesPerSecond, periodNs, false));
  }
}
