package dev.takt.bench;

import dev.takt.bench.pace.CyclicTest;
import dev.takt.bench.pace.PacedRun;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A task of 100 us, as a Takt task and as plain Java, while another thread makes garbage. */
final class GcSuite implements Suite {
  private static final long BYTES_PER_SECOND = 500_000_000;
  private static final List<String> COLLECTORS = List.of("G1", "Parallel", "ZGC");

  /** The same for all, so that the collectors have the same room. */
  private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

  @Override
  public String name() {
    return "gc";
  }

  @Override
  public String title() {
    return "Takt: a task of 100 µs beside a busy garbage collector";
  }

  @Override
  public void run(Runs runs, Report report) throws InterruptedException {
    Optional<Figure> floor = floor(runs, report);
    Map<String, String> flags =
        Map.of("G1", "-XX:+UseG1GC", "Parallel", "-XX:+UseParallelGC", "ZGC", "-XX:+UseZGC");
    for (String collector : COLLECTORS) {
      List<String> all = new ArrayList<>(HEAP);
      all.add(flags.get(collector));
      collector(runs, report, collector, all, floor);
    }
    notes(report);
  }

  private static void collector(
      Runs runs, Report report, String collector, List<String> flags, Optional<Figure> floor)
      throws InterruptedException {
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (String program : List.of("takt", "plain")) {
      String name = program + "-" + collector.toLowerCase(Locale.ROOT);
      paced(runs, name, flags, program, BYTES_PER_SECOND)
          .ifPresent(figure -> figures.put(program, figure));
    }
    Plot plot = Plot.histogram("From one release to the next, " + collector, "ns");
    figures.forEach(
        (program, figure) -> {
          String name = program + "-" + collector.toLowerCase(Locale.ROOT);
          Result result = add(report, name, figure);
          if (program.equals("takt") && figures.containsKey("plain")) {
            result.withPeer("plain", figures.get("plain").percentile(99.9));
          }
          plot.histogram(program, figure.batchNs());
        });
    floor.ifPresent(figure -> plot.histogram("floor", figure.batchNs()));
    if (!figures.isEmpty()) {
      report.add(plot);
    }
  }

  private static Optional<Figure> floor(Runs runs, Report report) throws InterruptedException {
    Optional<Figure> floor =
        paced(runs, "floor", List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC"), "nothing", 0);
    floor.ifPresent(figure -> add(report, "floor", figure));
    if (CyclicTest.isInstalled()) {
      runs.inside("cyclictest", () -> CyclicTest.run(runs.effort().pace().measurementMs()))
          .ifPresent(figure -> add(report, "cyclictest", figure));
    } else {
      report.note("cyclictest is not installed here; the result floor takes its place.");
    }
    return floor;
  }

  private static Optional<Figure> paced(
      Runs runs, String name, List<String> flags, String program, long bytesPerSecond)
      throws InterruptedException {
    Effort effort = runs.effort();
    return runs.wovenChild(
        name,
        flags,
        PacedRun.class,
        program,
        effort.pace().warmupMs(),
        effort.pace().measurementMs(),
        bytesPerSecond);
  }

  private static Result add(Report report, String name, Figure figure) {
    Result result =
        report
            .add(name, "ns", figure.percentile(99.9))
            .withPercentiles(figure.batchNs())
            .with("misses", Math.round(figure.count("misses")))
            .with("periods", Math.round(figure.count("periods")))
            .withAllocBytes(Result.rounded(figure.allocBytes()));
    if (figure.counts().containsKey("other_mb_s")) {
      result.with("other_mb_s", Math.round(figure.count("other_mb_s")));
    }
    return result;
  }

  private static void notes(Report report) {
    report.note(
        "From the beginning of one release to that of the next, period 100,000 ns; value: the 99.9th"
            + " percentile. A gap of several periods counts once for each release that should have begun in it."
            + " Misses: periods in which no release began. Alloc bytes: what the task's thread allocated in a"
            + " release.");
    report.note(
        "Takt and plain are the same class file, woven and not, on a thread without real-time"
            + " priority, with the same timer and the same skipping of periods that are over. Another thread"
            + " allocates 500 MB/s (other mb s: what it managed) in a heap of 512 MiB.");
    report.note(
        "Floor: the same timer releasing nothing, in a JVM where nothing else runs: what this machine"
            + " and the JVM's timed sleep allow. cyclictest: how late a native thread wakes up, not the time between"
            + " releases.");
    report.note(
        "What a stock JVM cannot hide: every Java thread stops at safepoints, so a stop-the-world pause"
            + " stops a Takt task as long as any other thread, whatever its priority. A task that allocates nothing"
            + " causes no collection, never waits for memory and never helps the collector, but it is stopped by the"
            + " collections that others cause: with Parallel and G1 the maximum is their longest pause, with ZGC"
            + " pauses are short, but its threads compete for the processors. Who needs less, runs the tasks in a"
            + " process of their own, where nothing allocates.");
  }
}
