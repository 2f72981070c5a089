package dev.takt.bench;

import dev.takt.bench.rtj.FloorProgram;
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
  public void run(Runs runs, Report report) throws InterruptedException {
    report.machine().with("rtj_jvm_flags", String.join(" ", RtjCases.jvmFlags()));
    RtjReport rows = new RtjReport(report);
    try (FloorProgram floor = runs.isPlan() ? FloorProgram.none() : FloorProgram.compile()) {
      floor
          .problem()
          .ifPresent(
              why -> {
                String text =
                    "No floor was measured: there is no C compiler (apt-get install gcc): " + why;
                runs.say(text);
                report.note(text);
              });
      for (String each : RtjCases.names()) {
        List<String> arguments = arguments(runs.effort(), each, floor);
        runs.work(each, () -> measure(runs.effort(), arguments))
            .ifPresent(samples -> rows.add(each, samples));
        repeatFloor(runs, rows, each, arguments);
      }
    } catch (IOException e) {
      runs.fail("floor", e.getMessage());
    }
    rows.finish();
  }

  /**
   * Where a criterion is not met but the floor met it, one run of the floor says little: it is run
   * again until it has failed there, too, but only so often.
   */
  private static void repeatFloor(Runs runs, RtjReport rows, String name, List<String> arguments)
      throws InterruptedException {
    List<String> floorOnly = RtjCases.floorOnly(arguments);
    int most = runs.effort().frames().floorsAgain();
    for (int run = 1;
        run <= most && !runs.isCancelled() && !rows.metByFloorOnly(name).isEmpty();
        run++) {
      String title = name + ", only its floor, " + run + " of " + most;
      Optional<Samples> samples = runs.work(title, () -> measure(runs.effort(), floorOnly));
      if (samples.isEmpty()) {
        return;
      }
      rows.addFloor(name, samples.get());
    }
  }

  private static List<String> arguments(Effort effort, String name, FloorProgram floor) {
    Effort.Frames frames = effort.frames();
    return RtjCases.arguments(
        name, frames.count(), frames.block(), frames.periodNs(), frames.warmupMs(), floor.path());
  }

  private static Samples measure(Effort effort, List<String> arguments) throws Exception {
    return effort.forked()
        ? Samples.fromLines(
            ChildRun.output(RtjCases.jvmFlags(), RtjCases.class, arguments, LIMIT_S))
        : RtjCases.measure(arguments);
  }
}
