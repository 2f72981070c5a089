package dev.takt.bench;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.rtj.RtjCases;
import dev.takt.bench.rtj.RtjReport;
import dev.takt.bench.rtj.Samples;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The tests of Avionics, each beside its floor in C. */
final class RtjSuite implements Suite {
  /** Of a case; the longest takes two minutes. */
  private static final long LIMIT_S = 400;

  @Override
  public String name() {
    return "rtj";
  }

  @Override
  public String title() {
    return "Takt: the real-time Java tests for avionics";
  }

  @Override
  public void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("rtj_jvm_flags", String.join(" ", RtjCases.jvmFlags()));
    RtjReport rows = new RtjReport(report);
    try (BaselineProgram floor =
        runner.isPlan() ? BaselineProgram.none() : BaselineProgram.compile()) {
      floor
          .problem()
          .ifPresent(
              why -> {
                String text =
                    "No floor was measured: there is no C compiler (apt-get install gcc): " + why;
                runner.say(text);
                report.note(text);
              });
      for (String each : RtjCases.names()) {
        List<String> arguments = arguments(runner.profile(), each, floor);
        runner
            .work(each, () -> measure(runner.profile(), arguments))
            .ifPresent(samples -> rows.add(each, samples));
        repeatFloor(runner, rows, each, arguments);
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
  private static void repeatFloor(
      SuiteRunner runner, RtjReport rows, String name, List<String> arguments)
      throws InterruptedException {
    List<String> floorOnly = RtjCases.floorOnly(arguments);
    int most = runner.profile().frames().floorsAgain();
    for (int run = 1;
        run <= most && !runner.isCancelled() && !rows.metByFloorOnly(name).isEmpty();
        run++) {
      String title = name + ", only its floor, " + run + " of " + most;
      Optional<Samples> samples = runner.work(title, () -> measure(runner.profile(), floorOnly));
      if (samples.isEmpty()) {
        return;
      }
      rows.addFloor(name, samples.get());
    }
  }

  private static List<String> arguments(RunProfile profile, String name, BaselineProgram floor) {
    RunProfile.Frames frames = profile.frames();
    return RtjCases.arguments(
        name, frames.count(), frames.block(), frames.periodNs(), frames.warmupMs(), floor.path());
  }

  private static Samples measure(RunProfile profile, List<String> arguments) throws Exception {
    return profile.forked()
        ? Samples.fromLines(
            ChildRun.output(RtjCases.jvmFlags(), RtjCases.class, arguments, LIMIT_S))
        : RtjCases.measure(arguments);
  }
}
