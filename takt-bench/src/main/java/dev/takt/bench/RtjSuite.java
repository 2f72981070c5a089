package dev.takt.bench;

import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.rtj.RtjCases;
import dev.takt.bench.rtj.RtjReport;
import dev.takt.bench.rtj.Samples;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.util.Optional;

/** The tests of Avionics, each beside its floor in C. */
final class RtjSuite {
  static final Suite SUITE =
      new Suite("rtj", "Takt: the real-time Java tests for avionics", RtjSuite::run);

  /** Of a case; the longest takes two minutes. */
  private static final long LIMIT_S = 400;

  private RtjSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("rtj_jvm_flags", String.join(" ", RtjCases.jvmFlags()));
    RtjReport rows = new RtjReport(report);
    try (BaselineProgram floor =
        runner.isPlan() ? BaselineProgram.none() : BaselineProgram.compile()) {
      floor
          .problem()
          .ifPresent(
              why ->
                  runner.warn(
                      report,
                      "No floor was measured: there is no C compiler (apt-get install gcc): "
                          + why));
      for (String each : RtjCases.names()) {
        RunProfile profile = runner.profile();
        RtjCases run = new RtjCases(each, profile.frames(), floor.path(), false, profile.forked());
        runner.work(each, () -> measure(runner, run)).ifPresent(samples -> rows.add(each, samples));
        repeatFloor(runner, rows, run);
      }
    } catch (IOException e) {
      runner.fail("floor", e.getMessage());
    }
    rows.finish();
  }

  /**
   * Where a criterion is not met but the floor met it, one run of the floor says little: it is run
   * again until it has failed there, too, but only so often.
   */
  private static void repeatFloor(SuiteRunner runner, RtjReport rows, RtjCases run)
      throws InterruptedException {
    String name = run.name();
    int most = runner.profile().frames().floorsAgain();
    for (int i = 1;
        i <= most && !runner.isCancelled() && !rows.metByFloorOnly(name).isEmpty();
        i++) {
      String title = name + ", only its floor, " + i + " of " + most;
      Optional<Samples> samples = runner.work(title, () -> measure(runner, run.ofFloor()));
      if (samples.isEmpty()) {
        return;
      }
      rows.addFloor(name, samples.get());
    }
  }

  private static Samples measure(SuiteRunner runner, RtjCases run) throws Exception {
    return runner.measure(RtjCases.jvmFlags(), run, Samples.class, LIMIT_S);
  }
}
