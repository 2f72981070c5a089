package dev.takt.bench.persist;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.memory.TaskThreads;
import dev.takt.persist.PersistSettings;
import dev.takt.persist.Persistence;
import java.util.Arrays;
import java.util.List;

/**
 * What the barrier costs while no cycle runs: the application of Persistence 5.2 with releases that
 * a cycle may begin between, and the same code with its rollback alone, in turns. Each pair of
 * turns gives one difference. A cycle has run before.
 *
 * @param pairs how many pairs count, after as many that do not
 */
public record BarrierRun(int pairs) implements ChildRun.Body<BarrierRun.Cost> {
  /** How often the graph is made and deleted in a turn. */
  private static final int TIMES = 4;

  /**
   * What was found.
   *
   * @param percent the median of the differences, in percent of the turn without
   * @param lowPercent their first quartile
   * @param highPercent their third quartile
   * @param withNs the median of a release that a cycle may begin before
   * @param withoutNs the median of one with its rollback alone
   */
  public record Cost(
      double percent, double lowPercent, double highPercent, double withNs, double withoutNs) {}

  @Override
  public Cost run() throws Exception {
    Persistence persistence =
        Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS.withGenerations(1));
    try (TaskThreads thread = new TaskThreads(1, "application")) {
      Application application = Application.woven("graph");
      application.graph().fill(Application.NODES);
      persistence.begin(List.of(application.root())).run();
      return thread.submit(() -> measured(application)).get();
    }
  }

  private Cost measured(Application application) {
    double[] percent = new double[pairs];
    double[] with = new double[pairs];
    double[] without = new double[pairs];
    for (int i = -pairs; i < pairs; i++) {
      // Who begins changes, so that what grows or falls all the time does not count.
      boolean first = i % 2 == 0;
      double before = nsPerRelease(application, first);
      double after = nsPerRelease(application, !first);
      if (i >= 0) {
        with[i] = first ? before : after;
        without[i] = first ? after : before;
        percent[i] = 100 * (with[i] - without[i]) / without[i];
      }
    }
    Arrays.sort(percent);
    Arrays.sort(with);
    Arrays.sort(without);
    return new Cost(
        percent[pairs / 2],
        percent[pairs / 4],
        percent[pairs - 1 - pairs / 4],
        with[pairs / 2],
        without[pairs / 2]);
  }

  private static double nsPerRelease(Application application, boolean isStorable) {
    long ns = 0;
    int releases = 0;
    for (int i = 0; i < TIMES; i++) {
      application.graph().fill(Application.NODES);
      long startNs = System.nanoTime();
      releases += application.run(isStorable);
      ns += System.nanoTime() - startNs;
    }
    return ns / (double) releases;
  }
}
