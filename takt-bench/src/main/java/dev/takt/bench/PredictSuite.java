package dev.takt.bench;

import dev.takt.bench.pace.CyclicTest;
import dev.takt.bench.predict.Outcome;
import dev.takt.bench.predict.PredictReport;
import dev.takt.bench.predict.PredictRun;
import dev.takt.cli.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Section 6.3 of the paper, Figs. 8, 9 and 10: how punctual tasks of 50 and 80 us are beside a
 * noisy thread.
 */
final class PredictSuite implements Suite {
  /** What {@code takt run} gives a program, and a heap that does not grow. */
  private static final List<String> FLAGS =
      List.of(
          "-Xms256m", "-Xmx256m", "-XX:+UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=1000");

  private static final long TASK_PERIOD_NS = 50_000;
  private static final long SELLER_PERIOD_NS = 80_000;
  private static final int PRIORITY = 80;

  /** A run may take so many times as long as it should, and so many seconds more. */
  private static final int MAX_TIMES = 4;

  private static final long SPARE_S = 120;

  private static final int ANY_CPU = -1;

  /** Plain Java, as it is and with the priority of the tasks. */
  private static final List<String> PEERS =
      List.of("executor", "executor-fifo", "parknanos", "parknanos-fifo");

  @Override
  public String name() {
    return "predict";
  }

  @Override
  public String title() {
    return "Takt: how punctual tasks are beside a noisy thread";
  }

  @Override
  public void run(Runs runs, Report report) throws InterruptedException {
    report.machine().with("predict_jvm_flags", String.join(" ", FLAGS));
    PredictReport rows = new PredictReport(report, TASK_PERIOD_NS, SELLER_PERIOD_NS);
    Effort.Predict effort = runs.effort().predict();
    measure(runs, "paper", TASK_PERIOD_NS, both("takt", effort.paperBlocks()))
        .ifPresent(rows::addPaperRun);
    List<String> all = new ArrayList<>(both("takt", effort.longBlocks()));
    PEERS.forEach(peer -> all.add(peer + ":" + effort.peerBlocks()));
    measure(runs, "long", TASK_PERIOD_NS, all).ifPresent(rows::addLongRun);
    measure(runs, "seller", SELLER_PERIOD_NS, both("seller", effort.sellerBlocks()))
        .ifPresent(rows::addSeller);
    rows.addNotes();
  }

  private static List<String> both(String task, int blocks) {
    return CyclicTest.isInstalled()
        ? List.of(task + ":" + blocks, "cyclictest:" + blocks)
        : List.of(task + ":" + blocks);
  }

  private static Optional<Map<String, Outcome>> measure(
      Runs runs, String name, long periodNs, List<String> contestants) throws InterruptedException {
    int block = runs.effort().predict().block();
    int warmup = runs.effort().predict().warmup();
    List<String> arguments =
        List.of(
            String.join(",", contestants),
            Long.toString(periodNs),
            Integer.toString(block),
            Integer.toString(warmup),
            Integer.toString(PRIORITY),
            Integer.toString(ANY_CPU));
    int blocks =
        contestants.stream()
            .map(each -> each.substring(each.indexOf(':') + 1))
            .collect(Collectors.summingInt(Integer::parseInt));
    long expectedNs = blocks * (block + warmup) * periodNs;
    return runs.work(
        name, () -> Outcome.fromLines(lines(runs.effort().forked(), arguments, expectedNs)));
  }

  private static List<String> lines(boolean forked, List<String> arguments, long expectedNs)
      throws Exception {
    if (!forked) {
      return PredictRun.measure(arguments);
    }
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add(WovenPrograms.flag());
    long limitS = SPARE_S + MAX_TIMES * expectedNs / 1_000_000_000;
    return ChildRun.output(flags, PredictRun.class, arguments, limitS);
  }
}
