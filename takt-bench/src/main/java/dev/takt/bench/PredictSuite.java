package dev.takt.bench;

import dev.takt.bench.measure.Outcome;
import dev.takt.bench.predict.PredictReport;
import dev.takt.bench.predict.PredictRun;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.tasks.SupervisionRun;
import dev.takt.cli.doctor.Cyclictest;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reflexes 6.3, Figs 8, 9 and 10: how punctual tasks of 50 and 80 us are beside a noisy thread. */
final class PredictSuite {
  static final Suite SUITE =
      new Suite("predict", "Takt: how punctual tasks are beside a noisy thread", PredictSuite::run);

  /** What {@code takt run} gives a program, and a heap that does not grow. */
  private static final List<String> FLAGS =
      List.of(
          "-Xms256m", "-Xmx256m", "-XX:+UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=1000");

  private static final long TASK_PERIOD_NS = 50_000;
  private static final long SELLER_PERIOD_NS = 80_000;
  private static final int PRIORITY = 80;

  /** Time-out as a multiple of the nominal duration, and seconds to spare. */
  private static final int MAX_TIMES = 4;

  private static final long SPARE_S = 120;

  private static final int ANY_CPU = -1;

  /** Plain Java, as it is and with the priority of the tasks. */
  private static final List<String> PEERS =
      List.of("executor", "executor-fifo", "parknanos", "parknanos-fifo");

  private PredictSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    report.machine().with("predict_jvm_flags", String.join(" ", FLAGS));
    try (BaselineProgram floor =
        runner.isPlan() || Cyclictest.installed().isPresent()
            ? BaselineProgram.none()
            : BaselineProgram.compile()) {
      floor
          .problem()
          .ifPresent(
              why -> {
                runner.warn(
                    report,
                    "No floor is measured beside the tasks: cyclictest is not installed (apt-get"
                        + " install rt-tests), and there is no C compiler (apt-get install gcc): "
                        + why);
              });
      run(runner, report, floor.path());
    } catch (IOException e) {
      runner.fail("floor", e.getMessage());
    }
  }

  private static void run(SuiteRunner runner, Report report, String floor)
      throws InterruptedException {
    PredictReport rows = new PredictReport(report, TASK_PERIOD_NS, SELLER_PERIOD_NS);
    RunProfile.Predict profile = runner.profile().predict();
    measure(runner, "paper", TASK_PERIOD_NS, both("takt", profile.paperBlocks(), floor), floor)
        .ifPresent(rows::addPaperRun);
    Map<String, Integer> all = both("takt", profile.longBlocks(), floor);
    PEERS.forEach(peer -> all.put(peer, profile.peerBlocks()));
    measure(runner, "long", TASK_PERIOD_NS, all, floor).ifPresent(rows::addLongRun);
    Map<String, Integer> seller = both("seller", profile.sellerBlocks(), floor);
    measure(runner, "seller", SELLER_PERIOD_NS, seller, floor).ifPresent(rows::addSeller);
    SupervisionRun supervision = new SupervisionRun(profile.aborts());
    runner
        .work(
            "supervision",
            () -> runner.measure(FLAGS, supervision, SupervisionRun.Times.class, SPARE_S))
        .ifPresent(times -> rows.addSupervision(times.ns()));
    rows.addNotes();
  }

  /** The task, and beside it cyclictest, the floor in C, or nothing: how many blocks each has. */
  private static Map<String, Integer> both(String task, int blocks, String floor) {
    Map<String, Integer> contestants = new LinkedHashMap<>(Map.of(task, blocks));
    if (!floor.equals(BaselineProgram.NONE)) {
      contestants.put("floor", blocks);
    } else if (Cyclictest.installed().isPresent()) {
      contestants.put("cyclictest", blocks);
    }
    return contestants;
  }

  private static Optional<Map<String, Outcome>> measure(
      SuiteRunner runner,
      String name,
      long periodNs,
      Map<String, Integer> contestants,
      String floor)
      throws InterruptedException {
    int block = runner.profile().predict().block();
    int warmup = runner.profile().predict().warmup();
    int blocks = contestants.values().stream().mapToInt(Integer::intValue).sum();
    long expectedNs = (long) blocks * (block + warmup) * periodNs;
    long limitS = SPARE_S + MAX_TIMES * expectedNs / 1_000_000_000;
    PredictRun run = new PredictRun(contestants, periodNs, block, warmup, PRIORITY, ANY_CPU, floor);
    return runner.work(
        name,
        () ->
            runner
                .measure(SuiteRunner.woven(FLAGS), run, Outcome.ByContestant.class, limitS)
                .outcomes());
  }
}
