package dev.takt.bench;

import dev.takt.bench.cpu.AnalysisRun;
import dev.takt.bench.cpu.Calibration;
import dev.takt.bench.cpu.Contestant;
import dev.takt.bench.cpu.CpuReport;
import dev.takt.bench.cpu.FiveTasks;
import dev.takt.bench.cpu.Grabber;
import dev.takt.bench.cpu.ManagerLoadRun;
import dev.takt.bench.cpu.MultitaskRun;
import dev.takt.bench.cpu.PlaybackRun;
import dev.takt.bench.cpu.RunawayRun;
import dev.takt.bench.cpu.SupervisionCostRun;
import dev.takt.bench.cpu.TopView;
import dev.takt.bench.cpu.VideoFloor;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Unprivileged;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.tasks.FloodRun;
import dev.takt.cli.report.Report;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CPU control 3: video and five tasks, managed and not, beside a grabber; and the manager's cost.
 */
final class CpuSuite {
  static final Suite SUITE =
      new Suite("cpu", "Takt: the CPU manager beside plain Java", CpuSuite::run);

  /** What {@code takt run} gives a program, and a heap that does not grow. */
  private static final List<String> FLAGS =
      List.of(
          "-Xms64m", "-Xmx64m", "-XX:+UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=1000");

  /** 33 frames a second. Source: CPU control 3.1. */
  private static final long FRAME_NS = 30_000_000;

  /** That of the manager's thread. */
  private static final int MANAGER_PRIORITY = CpuScheduler.HIGHEST_PRIORITY + 5;

  /** How many events a second. */
  private static final long FLOOD = 1_000_000;

  /** Of a server whose period is shorter than that of the task beside it. */
  private static final long ABOVE_BUDGET_NS = 100_000;

  private static final long ABOVE_PERIOD_NS = 500_000;

  /** How long one runaway and its counterpart take, at most. */
  private static final long RUNAWAY_S = 4;

  private static final long SPARE_S = 60;
  private static final int MAX_TIMES = 4;
  private static final int CALIBRATIONS = 40;

  /** Few, so that what the endless task does to the others is counted. */
  private static final int ENDLESS_WARMUP = 5;

  private final SuiteRunner runner;
  private final RunProfile.Cpu profile;
  private final CpuReport rows;
  private final BaselineProgram floor;
  private final Unprivileged user;

  private CpuSuite(
      SuiteRunner runner, Report report, BaselineProgram floor, Optional<Unprivileged> user) {
    this.runner = runner;
    this.profile = runner.profile().cpu();
    this.rows = new CpuReport(report);
    this.floor = floor;
    this.user = user.orElse(Unprivileged.AS_IT_IS);
  }

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("cpu_jvm_flags", String.join(" ", FLAGS));
    try (BaselineProgram floor =
        runner.isPlan() ? BaselineProgram.none() : BaselineProgram.compile()) {
      Optional<Unprivileged> user = runner.isPlan() ? Optional.empty() : Unprivileged.find();
      floor
          .problem()
          .ifPresent(
              why ->
                  runner.warn(
                      report,
                      "No floor is measured beside the video, and the grabber is in Java, because"
                          + " there is no C compiler (apt-get install gcc): "
                          + why));
      if (!runner.isPlan() && user.isEmpty()) {
        runner.warn(
            report,
            "The portable scheduler is measured with the privileges of this user, because setpriv"
                + " is not installed (apt-get install util-linux).");
      }
      new CpuSuite(runner, report, floor, user).run();
    } catch (IOException e) {
      runner.fail("grabber", e.getMessage());
    }
  }

  private void run() throws IOException, InterruptedException {
    costs();
    Optional<FiveTasks> five =
        work("logarithms", false, new Calibration(CALIBRATIONS), Calibration.Speed.class, 0)
            .map(FiveTasks::of);
    try (Grabber grabber = runner.isPlan() ? Grabber.none() : Grabber.start(floor)) {
      for (int block = 0; block < profile.videoBlocks(); block++) {
        video(grabber);
      }
      rows.addVideo();
      FiveTasks tasks = five.orElse(FiveTasks.NONE);
      for (int block = 0; block < profile.multiBlocks(); block++) {
        OverrunPolicy onOverrun = block % 2 == 0 ? OverrunPolicy.DEMOTE : OverrunPolicy.DROP;
        for (Contestant each : Contestant.values()) {
          multi(grabber, tasks, each, onOverrun);
        }
      }
      for (Contestant each : Contestant.values()) {
        if (each != Contestant.STANDARD) { // where others have their share of the processor
          endless(grabber, tasks, each);
        }
      }
      rows.addMulti();
    }
    misbehaviour();
    rows.addNotes();
  }

  /** One block of each. */
  private void video(Grabber grabber) throws InterruptedException {
    for (Contestant each : Contestant.values()) {
      PlaybackRun run = new PlaybackRun(each, FRAME_NS, profile.warmup(), profile.frames());
      grabber.takenPercent();
      work("video-" + each.word(), each.isUnprivileged(), run, PlaybackRun.Played.class, videoS())
          .ifPresent(played -> rows.addVideo(each.word(), played, grabber.takenPercent()));
    }
    if (runner.isPlan() || floor.problem().isEmpty()) {
      grabber.takenPercent();
      runner
          .work("video-floor", () -> VideoFloor.run(floor, FRAME_NS, profile.frames()))
          .ifPresent(played -> rows.addVideo("floor", played, grabber.takenPercent()));
    }
  }

  private long videoS() {
    return FRAME_NS * (profile.warmup() + profile.frames()) / 1_000_000_000;
  }

  private void multi(
      Grabber grabber, FiveTasks tasks, Contestant contestant, OverrunPolicy onOverrun)
      throws InterruptedException {
    multi(grabber, "multi-" + contestant.word(), run(tasks, contestant, onOverrun, false));
  }

  private void endless(Grabber grabber, FiveTasks tasks, Contestant contestant)
      throws InterruptedException {
    multi(grabber, contestant.endless(), run(tasks, contestant, OverrunPolicy.DROP, true));
  }

  private MultitaskRun run(
      FiveTasks tasks, Contestant contestant, OverrunPolicy onOverrun, boolean endless) {
    int iterations = endless ? profile.endlessIterations() : profile.iterations();
    int warmup = endless ? Math.min(ENDLESS_WARMUP, profile.multiWarmup()) : profile.multiWarmup();
    return new MultitaskRun(contestant, onOverrun, endless, tasks, warmup, iterations);
  }

  private void multi(Grabber grabber, String name, MultitaskRun run) throws InterruptedException {
    Contestant contestant = run.contestant();
    grabber.takenPercent();
    work(
            name,
            contestant.isUnprivileged(),
            run,
            MultitaskRun.Multitasked.class,
            (run.warmup() + run.iterations()) / 10)
        .ifPresent(found -> rows.addMulti(name, contestant, found, grabber.takenPercent()));
  }

  /** What the manager costs, without a grabber. */
  private void costs() throws InterruptedException {
    work("analysis", false, new AnalysisRun(profile.analyses()), AnalysisRun.Analysed.class, 0)
        .ifPresent(rows::addAnalysis);
    double wakeNs = wakeNs();
    supervision("supervision");
    manager("manager", wakeNs);
    if (profile.top()) {
      withTop("supervision-top", SupervisionCostRun.TASK, this::supervision);
      withTop("manager-top", ManagerLoadRun.TASK, name -> manager(name, wakeNs));
    }
  }

  private void supervision(String name) throws InterruptedException {
    SupervisionCostRun supervision = new SupervisionCostRun(profile.pairs());
    work(name, false, supervision, SupervisionCostRun.Cost.class, 0)
        .ifPresent(cost -> rows.addSupervision(name, cost));
  }

  private void manager(String name, double wakeNs) throws InterruptedException {
    ManagerLoadRun manager = new ManagerLoadRun(profile.managerMs() / 2, profile.managerMs());
    work(name, false, manager, ManagerLoadRun.Load.class, 0)
        .ifPresent(load -> rows.addManager(name, load, wakeNs));
  }

  /** Measures something. */
  @FunctionalInterface
  private interface Measures {
    void measure(String name) throws InterruptedException;
  }

  /** Measures something while {@code takt top} looks at it. */
  private void withTop(String name, String task, Measures measures) throws InterruptedException {
    if (runner.isPlan()) {
      measures.measure(name);
      return;
    }
    try (TopView top = TopView.start()) {
      measures.measure(name);
      rows.addLooks(name, top.looks(task));
    } catch (IOException e) {
      runner.fail(name, e.getMessage());
    }
  }

  /** What a thread in C takes for each time that it wakes up and does nothing. */
  private double wakeNs() throws InterruptedException {
    if (!runner.isPlan() && floor.problem().isPresent()) {
      return Double.NaN;
    }
    long periodNs = ManagerSettings.defaults().lookPeriodNs();
    int count = Math.toIntExact(profile.managerMs() * 1_000_000L / periodNs + 1);
    return runner
        .work(
            "manager-floor",
            () -> BaselineProgram.wakeNs(floor.path(), periodNs, count, MANAGER_PRIORITY))
        .map(ns -> (double) ns)
        .orElse(Double.NaN);
  }

  /** Tasks that run away, and a flood of events. */
  private void misbehaviour() throws InterruptedException {
    RunawayRun best = new RunawayRun(profile.runaways(), "best", floor.path());
    work("runaway", false, best, RunawayRun.Dropped.class, RUNAWAY_S * profile.runaways())
        .ifPresent(found -> rows.addRunaway("runaway", found));
    if (profile.portableRunaways() > 0) {
      RunawayRun portable =
          new RunawayRun(profile.portableRunaways(), "portable", BaselineProgram.NONE);
      long expectedS = RUNAWAY_S * profile.portableRunaways();
      work("runaway-portable", true, portable, RunawayRun.Dropped.class, expectedS)
          .ifPresent(found -> rows.addRunaway("runaway-portable", found));
    }
    for (Map.Entry<String, FloodRun> each : floods().entrySet()) {
      long expectedS = 2L * profile.floodRounds() * profile.floodMs() / 1_000;
      work(each.getKey(), false, each.getValue(), FloodRun.Figures.class, expectedS)
          .ifPresent(found -> rows.addFlood(each.getKey(), found));
    }
  }

  /** With the usual server, and with one that goes before the periodic task. */
  private Map<String, FloodRun> floods() {
    Map<String, FloodRun> floods = new LinkedHashMap<>();
    int rounds = profile.floodRounds();
    floods.put("flood", new FloodRun(rounds, profile.floodMs(), FLOOD, 0, 0));
    if (rounds > 1) {
      floods.put(
          "flood-above",
          new FloodRun(rounds, profile.floodMs(), FLOOD, ABOVE_BUDGET_NS, ABOVE_PERIOD_NS));
    }
    return floods;
  }

  private <R> Optional<R> work(
      String name, boolean unprivileged, ChildRun.Body<R> body, Class<R> result, long expectedS)
      throws InterruptedException {
    long limitS = SPARE_S + MAX_TIMES * expectedS;
    return runner.work(
        name,
        () ->
            unprivileged
                ? runner.measure(user, FLAGS, body, result, limitS)
                : runner.measure(FLAGS, body, result, limitS));
  }
}
