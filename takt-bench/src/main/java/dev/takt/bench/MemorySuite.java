package dev.takt.bench;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.memory.ApplicationRun;
import dev.takt.bench.memory.ReclaimBenchmark;
import dev.takt.bench.memory.ReleaseBenchmark;
import dev.takt.bench.memory.ReleasesRun;
import dev.takt.bench.micro.JmhBatch;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The memory of tasks: what it costs beside plain Java, and that it allocates nothing. */
final class MemorySuite {
  static final Suite SUITE = new Suite("memory", "Takt: the memory of tasks", MemorySuite::run);

  private static final String UNIT = "ns";

  /** A program of {@link ReleaseBenchmark} and how many operations a release of it has. */
  private record Program(String result, String name, int operations) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program("release-empty", "empty", 1),
          new Program("store-4", "store", 4),
          new Program("store-array", "store-array", 64),
          new Program("new-pooled", "new", 100),
          new Program("new-array", "new-array", 10),
          new Program("new-lambda", "new-lambda", 10));

  /**
   * Epsilon cannot reclaim anything: its run ends when 160 MiB are used up. What a runtime reads
   * and checks when it starts takes 50 to 80 of them, by the class path.
   */
  private static final List<Map.Entry<String, String>> COLLECTORS =
      List.of(
          Map.entry("g1", "-XX:+UseG1GC"),
          Map.entry("zgc", "-XX:+UseZGC"),
          Map.entry("serial", "-XX:+UseSerialGC"),
          Map.entry(
              "epsilon", "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xms160m -Xmx160m"));

  private MemorySuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    Plot bars = Plot.bars("Woven and plain, one operation", UNIT);
    for (Program program : PROGRAMS) {
      program(runner, report, program, bars);
    }
    report.add(bars);
    reclaim(runner, report);
    application(runner, report);
    runner.show(figure -> Quantity.of(Math.round(figure.count("bytes")), "bytes"));
    for (String program : List.of("stockbuyer", "builder")) {
      for (Map.Entry<String, String> collector : COLLECTORS) {
        releases(
            runner, report, program, collector.getKey(), List.of(collector.getValue().split(" ")));
      }
    }
    report.columns("peer", "ratio", "difference", "p99", "max", "alloc_bytes", "releases");
    verdict(report);
  }

  private static void verdict(Report report) {
    List<Result> counted =
        report.results().stream().filter(each -> each.unit().equals("bytes")).toList();
    long clean =
        counted.stream().filter(each -> ((Number) each.value()).doubleValue() == 0).count();
    report.verdict(
        clean == counted.size(),
        """
        In %d of %d runs of a million releases or more the tasks' threads allocated nothing at all \
        on the heap."""
            .formatted(clean, counted.size()));
  }

  private static void program(SuiteRunner runner, Report report, Program program, Plot bars)
      throws InterruptedException {
    int batch = JmhBatch.SIZE * program.operations();
    Map<String, String> parameters = Map.of("program", program.name());
    Optional<Measurement> woven =
        runner.jmh(program.result(), ReleaseBenchmark.class, "woven", parameters, batch);
    Optional<Measurement> plain =
        runner.jmh(
            program.result() + ", plain", ReleaseBenchmark.class, "plain", parameters, batch);
    woven.ifPresent(
        figure -> {
          Result result = SpaceSuite.add(report, program.result(), figure);
          bars.bar(program.result(), "woven", figure.p50());
          plain.ifPresent(
              other -> {
                result
                    .withPeer("plain", other.p50())
                    .with("peer_alloc_bytes", Result.rounded(other.allocBytes()))
                    .with("difference", Result.rounded(figure.p50() - other.p50()))
                    .with("mean_difference", Result.rounded(figure.mean() - other.mean()));
                bars.bar(program.result(), "plain", other.p50());
              });
        });
  }

  private static void reclaim(SuiteRunner runner, Report report) throws InterruptedException {
    Optional<Measurement> one = reclaim(runner, report, 1);
    Optional<Measurement> many = reclaim(runner, report, 100_000);
    if (one.isPresent() && many.isPresent()) {
      report
          .result("reclaim-100000")
          .with("times_reclaim_1", Result.rounded(many.get().p50() / one.get().p50()));
    }
  }

  private static Optional<Measurement> reclaim(SuiteRunner runner, Report report, int objects)
      throws InterruptedException {
    String name = "reclaim-" + objects;
    Optional<Measurement> figure =
        runner.jmh(
            name,
            ReclaimBenchmark.class,
            "reclaim",
            Map.of("objects", Integer.toString(objects)),
            ReclaimBenchmark.TASKS);
    figure.ifPresent(found -> SpaceSuite.add(report, name, found));
    return figure;
  }

  private static void application(SuiteRunner runner, Report report) throws InterruptedException {
    int releases = runner.profile().releases() / 500;
    runner
        .wovenChild("application", List.of(), new ApplicationRun(2 * releases, releases))
        .ifPresent(
            figure ->
                SpaceSuite.add(report, "application", figure)
                    .withPeer("plain", figure.count("plain_p50"))
                    .with("peer_p99", Math.round(figure.count("plain_p99")))
                    .with("peer_max", Math.round(figure.count("plain_max")))
                    .with("peer_alloc_bytes", Result.rounded(figure.count("plain_alloc_bytes"))));
  }

  private static void releases(
      SuiteRunner runner, Report report, String program, String collector, List<String> flags)
      throws InterruptedException {
    String name = program + "-" + collector;
    int releases = runner.profile().releases();
    int warmup = Math.max(releases / 5, runner.profile().taskWarmup());
    runner
        .wovenChild(name, flags, new ReleasesRun(program, warmup, releases))
        .ifPresent(
            figure ->
                report
                    .add(name, "bytes", Math.round(figure.count("bytes")))
                    .with("releases", Math.round(figure.count("releases")))
                    .with("warmup_bytes", Math.round(figure.count("warmup_bytes")))
                    .with("watcher_bytes", Math.round(figure.count("watcher_bytes")))
                    .with("release_ns", figure.p50())
                    .withAllocBytes(Result.rounded(figure.allocBytes())));
  }
}
