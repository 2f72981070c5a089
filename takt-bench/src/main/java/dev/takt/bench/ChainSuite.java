package dev.takt.bench;

import dev.takt.bench.tasks.Chain;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.Map;

/** Reflexes Fig. 7: a chain of passive tasks. */
final class ChainSuite {
  static final Suite SUITE = new Suite("chain", "Takt: a chain of tasks", ChainSuite::run);

  /**
   * Reflexes has one number in the text, for its own virtual machine; the others are only drawn. In
   * nanoseconds a hop.
   */
  private static final Map<Integer, Integer> PAPER_NS = Map.of(1_000, 1_849);

  private ChainSuite() {}

  private static void run(SuiteRunner runner, Report report) throws InterruptedException {
    Series hop = new Series();
    Series whole = new Series();
    for (int length : runner.profile().sizes().chain()) {
      String name = "chain-" + length;
      runner
          .child(name, new Chain(length, runner.profile().hops(), runner.profile().limitMs()))
          .ifPresent(
              figure -> {
                double chainUs = Result.rounded(figure.p50() * length / 1e3);
                Result result = SpaceSuite.add(report, name, figure).with("chain_us", chainUs);
                if (PAPER_NS.containsKey(length)) {
                  result.withPaper(PAPER_NS.get(length));
                }
                hop.add(length, result);
                whole.add(length, chainUs);
              });
    }
    report.add(hop.addTo(Plot.lines("One hop", "tasks", "ns").logX(), "takt"));
    Plot figure7 = Plot.lines("The whole chain (Fig. 7)", "tasks", "us").logX().logY();
    report.add(
        whole
            .addTo(figure7, "takt")
            .series("paper, Ovm", new double[] {1_000}, new double[] {1_849}));
  }
}
