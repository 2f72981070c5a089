package dev.takt.bench;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.pace.PacedRun;
import dev.takt.cli.doctor.Cyclictest;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A periodic task as a Takt task, with real-time scheduling and without, and as plain Java, while
 * another thread makes garbage.
 */
final class GcSuite implements Suite {
  private static final List<String> PROGRAMS = List.of("plain", "takt", "realtime");

  /**
   * The same for all; how much of it is used at first is the collector's choice, as it is usual.
   */
  private static final String HEAP = "-Xmx512m";

  /** The collectors and their flags, in the order of the report. */
  private static final Map<String, String> COLLECTORS = new LinkedHashMap<>();

  static {
    COLLECTORS.put("G1", "-XX:+UseG1GC");
    COLLECTORS.put("ZGC", "-XX:+UseZGC");
  }

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

  @Override
  public String name() {
    return "gc";
  }

  @Override
  public String title() {
    return "Takt: periodic tasks beside a busy garbage collector";
  }

  @Override
  public void run(SuiteRunner runner, Report report) throws InterruptedException {
    runner.show(figure -> Quantity.time(figure.percentile(99.9)) + " (p99.9)");
    report.columns("late", "peer", "ratio", "p50", "p99", "max");
    Optional<Measurement> floor = floor(runner, report);
    for (Map.Entry<String, String> collector : COLLECTORS.entrySet()) {
      for (Load load : LOADS) {
        measure(runner, report, collector.getKey(), collector.getValue(), load, floor);
      }
    }
    notes(report);
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
          add(report, name, figure)
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
    floor.ifPresent(figure -> add(report, "floor", figure));
    Optional<Cyclictest> cyclictest = Cyclictest.installed();
    if (cyclictest.isPresent()) {
      runner
          .inside(
              "cyclictest",
              () -> PacedRun.cyclictest(cyclictest.get(), runner.profile().pace().measurementMs()))
          .ifPresent(figure -> add(report, "cyclictest", figure));
    } else {
      report.note("cyclictest is not installed here; the result floor takes its place.");
    }
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

  private static Result add(Report report, String name, Measurement figure) {
    return report
        .add(name, "ns", figure.percentile(99.9))
        .withPercentiles(figure.batchNs())
        .with("late", Math.round(figure.count("late")))
        .with("periods", Math.round(figure.count("periods")))
        .withAllocBytes(Result.rounded(figure.allocBytes()));
  }

  private static void notes(Report report) {
    report.note(
        "From when a release was due to its end; value: the 99.9th percentile. One that takes"
            + " several periods counts once for each release that should have begun in it. Late:"
            + " periods in which no release began. Alloc bytes: what the task's thread allocated in"
            + " a release.");
    report.note(
        "Plain, takt and realtime are the same class file, not woven and woven, with the same timer"
            + " and the same skipping of periods that are over; realtime: with"
            + " TaskScheduling.REALTIME, fifo: whether the system granted it. Another thread"
            + " allocates 500 MB/s beside the period of 100 us and 100 MB/s beside the one of 5 ms"
            + " (other mb s: what it managed), in a heap of at most 512 MiB.");
    report.note(
        "Floor: the same timer releasing nothing every 100 us, in a JVM where nothing else runs:"
            + " what this machine and the JVM's timed sleep allow. cyclictest: how late a native"
            + " thread wakes up.");
    report.note(
        "What a stock JVM cannot hide: every Java thread stops at safepoints, so a stop-the-world"
            + " pause stops a Takt task as long as any other thread, whatever its priority. A task"
            + " that allocates nothing causes no collection, never waits for memory and never helps"
            + " the collector, but it is stopped by the collections that others cause: with G1 the"
            + " maximum is their longest pause, with ZGC pauses are short, but its threads compete"
            + " for the processors. Who needs less, runs the tasks in a process of their own, where"
            + " nothing allocates.");
  }
}
