package dev.takt.bench;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.pace.FeedRun;
import dev.takt.bench.pace.PacedRun;
import dev.takt.bench.tasks.ApplyRun;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.Optional;

/** Reflexes 6.4 and Fig. 11: ordinary threads feed a task by atomic calls. */
final class AtomicSuite {
  static final Suite SUITE =
      new Suite("atomic", "Takt: ordinary threads call into a task of 100 us", AtomicSuite::run);

  private static final long BYTES_PER_SECOND = 2_000_000;

  /** The largest time between releases in Reflexes 6.4, in nanoseconds; the smallest is 57 us. */
  private static final int PAPER_MAX_NS = 144_000;

  private static final int PAPER_MIN_NS = 57_000;
  private static final int PAPER_CALLS = 3_000;
  private static final int PAPER_ABORTS = 516;
  private static final List<Integer> PLACES = List.of(1, 10, 100, 1_000);
  private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m");

  private AtomicSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    Plot figure11 = Plot.histogram("From one release to the next (Fig. 11)", "ns");
    feed(runner, report, figure11, "atomic-20ms", 20);
    feed(runner, report, figure11, "atomic-tight", 0);
    floor(runner, report, figure11);
    if (!report.results().isEmpty()) {
      report.add(figure11);
    }
    apply(runner, report);
  }

  private static void feed(SuiteRunner runner, Report report, Plot plot, String name, int pauseMs)
      throws InterruptedException {
    RunProfile.Pace pace = runner.profile().pace();
    FeedRun run = new FeedRun(pauseMs, pace.warmupMs(), pace.measurementMs(), BYTES_PER_SECOND);
    Optional<Measurement> figure = runner.wovenChild(name, HEAP, run);
    if (figure.isEmpty()) {
      return;
    }
    Result result = add(report, name, figure.get());
    for (String count : List.of("calls", "aborts", "waits", "rejected", "numbers", "violations")) {
      result.with(count, Math.round(figure.get().count(count)));
    }
    if (pauseMs == 20) {
      result
          .withPaper(PAPER_MAX_NS)
          .with("paper_min", PAPER_MIN_NS)
          .with("paper_calls", PAPER_CALLS)
          .with("paper_aborts", PAPER_ABORTS);
    }
    plot.histogram(name, figure.get().batchNs());
    if (figure.get().count("violations") != 0) {
      runner.fail(name, "an update was lost or seen by half: violations > 0");
    }
  }

  private static void floor(SuiteRunner runner, Report report, Plot plot)
      throws InterruptedException {
    RunProfile.Pace pace = runner.profile().pace();
    runner
        .wovenChild(
            "floor",
            HEAP,
            new PacedRun(
                "nothing", pace.warmupMs(), pace.measurementMs(), 0, PacedRun.PERIOD_NS, true))
        .ifPresent(
            figure -> {
              add(report, "floor", figure);
              plot.histogram("floor", figure.batchNs());
            });
    runner.cyclictest(report).ifPresent(figure -> add(report, "cyclictest", figure));
  }

  private static void apply(SuiteRunner runner, Report report) throws InterruptedException {
    Series median = new Series();
    Series worst = new Series();
    for (int places : PLACES) {
      String name = "apply-" + places;
      int releases = Math.max(100, runner.profile().taskIterations() / (10 * places + 100));
      runner
          .child(name, new ApplyRun(places, releases))
          .ifPresent(
              figure -> {
                Result result =
                    report
                        .add(name, "ns", figure.percentile(50))
                        .withPercentiles(figure.batchNs())
                        .withAllocBytes(Result.rounded(figure.allocBytes()))
                        .with("places", places);
                median.add(places, result);
                worst.add(places, figure.percentile(99.9));
              });
    }
    Plot plot = Plot.lines("Taking over what calls have changed", "places", "ns").logX().logY();
    report.add(worst.addTo(median.addTo(plot, "median"), "99.9th percentile"));
  }

  /** The value is the largest gap, as in Reflexes 6.4. */
  private static Result add(Report report, String name, Measurement figure) {
    return figure.addPaced(report, name, 100).with("min", figure.batchNs().getMinValue());
  }
}
