package dev.takt.bench.persist;

import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Puts what was found into the report.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class PersistReport {
  private static final double MS = 1e6;

  /** What Takt is compared with: the fastest of today. */
  private static final StoreProgram PEER = StoreProgram.FORY;

  /** The same, with what makes what is stored as safe as Takt's. */
  private static final StoreProgram SAFE_PEER = StoreProgram.FORY_SAFE;

  /** What a journal is compared with: commits without one. */
  private static final String JOURNAL_PEER = "journal-none";

  /**
   * A column of Tables 1 and 2, means.
   *
   * @param storeUs serialization, in microseconds; 0: Table 2 has none, nor the increments
   */
  private record PaperColumn(
      int storeUs, int increments, int barrierCalls, int barrierSaves, int extraObjects) {}

  private static final Map<String, PaperColumn> PAPER =
      Map.of(
          "stw", new PaperColumn(5_056, 1, 0, 0, 0),
          "stw-marking", new PaperColumn(6_084, 1, 0, 0, 0),
          "preemptible", new PaperColumn(5_632, 14, 1_284, 24, 0),
          "preemptible-marking", new PaperColumn(6_612, 17, 185_762, 41, 0),
          "three-threads", new PaperColumn(0, 0, 2_643, 339, 351),
          "three-threads-marking", new PaperColumn(0, 0, 240_912, 13, 0));

  private final Plot gaps =
      Plot.histogram("From one release of a 1 kHz task to the next while objects are stored", "ns")
          .mark("period", 1_000_000);

  private final Report report;
  private final List<Integer> sizes;
  private final Map<StoreProgram, StoreRun.Stored> stored = new EnumMap<>(StoreProgram.class);

  /**
   * Makes one.
   *
   * @param sizes of the graphs
   */
  public PersistReport(Report report, List<Integer> sizes) {
    this.report = report;
    this.sizes = sizes;
  }

  /** Keeps what one program took. */
  public void add(StoreProgram program, StoreRun.Stored found) {
    stored.put(program, found);
  }

  /** Adds the rows and plots of all programs. */
  public void addStored() {
    for (StoredShape shape : StoredShape.values()) {
      for (int size : sizes) {
        for (StoreProgram each : stored.keySet()) {
          figure(each, shape, size).ifPresent(figure -> add(each, figure));
        }
      }
      boolean tree = shape == StoredShape.TREE;
      addPlot(shape, "Storing, " + (tree ? "tree (Fig. 3)" : "array (Fig. 5)"), true);
      addPlot(shape, "Loading, " + (tree ? "tree (Fig. 4)" : "array (Fig. 6)"), false);
    }
    report.columns("peer", "ratio", "times_safe_peer", "bytes", "peer_bytes", "load_ns");
  }

  private Optional<StoreRun.Figure> figure(StoreProgram program, StoredShape shape, int size) {
    StoreRun.Stored found = stored.get(program);
    return found == null
        ? Optional.empty()
        : found.figures().stream()
            .filter(each -> each.shape() == shape && each.size() == size)
            .findFirst();
  }

  private void add(StoreProgram program, StoreRun.Figure figure) {
    int size = figure.size();
    Result result =
        report
            .add(program.result(figure.shape(), size), "ns", perObject(figure, figure.storeNs()))
            .with("load_ns", perObject(figure, figure.loadNs()))
            .with("bytes", figure.bytes())
            .with("total_ms", Result.rounded(figure.storeNs() / MS))
            .with("rounds", figure.rounds());
    if (program == StoreProgram.TAKT) {
      figure(PEER, figure.shape(), size)
          .ifPresent(
              peer ->
                  result
                      .withPeer(PEER.word(), perObject(peer, peer.storeNs()))
                      .with("peer_load_ns", perObject(peer, peer.loadNs()))
                      .with("peer_bytes", peer.bytes())
                      .with(
                          "times_peer_bytes",
                          Result.rounded(figure.bytes() / (double) peer.bytes())));
      figure(SAFE_PEER, figure.shape(), size)
          .ifPresent(
              safe ->
                  result
                      .with("safe_peer_value", perObject(safe, safe.storeNs()))
                      .with(
                          "times_safe_peer",
                          Result.rounded(figure.storeNs() / (double) safe.storeNs())));
    }
  }

  /** Adds a column of Table 1 or 2. */
  public void add(String name, GraphRun.Found found) {
    Result result =
        report
            .add(name, "us", micros(found.storeNs()))
            .with("max", micros(found.maxStoreNs()))
            .with("pause_us", micros(found.pauseNs()))
            .with("max_pause_us", micros(found.maxPauseNs()))
            .with("cycle_us", micros(found.cycleNs()))
            .with("application_us", micros(found.applicationNs()))
            .with("increments", Result.rounded(found.increments()))
            .with("objects", Result.rounded(found.objects()))
            .with("bytes", Result.rounded(found.bytes()))
            .with("barrier_calls", Result.rounded(found.barrierCalls()))
            .with("barrier_saves", Result.rounded(found.barrierSaves()))
            .with("extra_objects", Result.rounded(found.extraObjects()));
    PaperColumn paper = PAPER.get(name);
    if (paper != null) {
      if (paper.storeUs > 0) {
        result.withPaper(paper.storeUs).with("paper_increments", paper.increments);
      }
      result
          .with("paper_barrier_calls", paper.barrierCalls)
          .with("paper_barrier_saves", paper.barrierSaves)
          .with("paper_extra_objects", paper.extraObjects);
    }
    Result stopped = report.result(name.replace("preemptible", "stw"));
    if (name.startsWith("preemptible") && stopped != null) {
      result.withPeer(stopped.name(), (Number) stopped.value());
    }
  }

  private static double micros(double ns) {
    return Result.rounded(ns / 1e3);
  }

  /** Adds what the barrier costs without a cycle. */
  public void add(BarrierRun.Cost cost) {
    report
        .add("barrier-idle", "%", Result.rounded(cost.percent()))
        .with("p25", Result.rounded(cost.lowPercent()))
        .with("p75", Result.rounded(cost.highPercent()))
        .with("release_ns", Result.rounded(cost.withNs()))
        .with("rollback_only_ns", Result.rounded(cost.withoutNs()))
        .with("limit", 1);
  }

  /**
   * Adds what the barrier costs plain threads without a cycle, beside the same class unwoven, and
   * what of it is the gate: an update that does nothing.
   */
  public void addPlain(double wovenNs, double plainNs, double gateNs) {
    report
        .add("barrier-idle-plain", "%", Result.rounded(100 * (wovenNs - plainNs) / plainNs))
        .with("update_ns", Result.rounded(wovenNs))
        .with("plain_ns", Result.rounded(plainNs))
        .with("gate_ns", Result.rounded(gateNs))
        .with("limit", 1);
  }

  /** Adds the increments of cycles. */
  public void add(String name, IncrementRun run, IncrementRun.Found found) {
    long counted = found.pauseNs().getTotalCount();
    report
        .add(name, "ns", found.pauseNs().getValueAtPercentile(50))
        .withTimes(found.pauseNs())
        .with("target_ns", run.targetPauseNs())
        .with("increments", counted)
        .with("over_target", found.overTarget())
        .with(
            "within_target_percent",
            Result.rounded(100.0 * (counted - found.overTarget()) / counted))
        .with("over_twice", found.overTwice())
        .with("floor_p999_ns", found.floorNs().getValueAtPercentile(99.9))
        .with("floor_max_ns", found.floorNs().getMaxValue())
        .with("objects", found.objects())
        .with("cycle_ms", Result.rounded(found.cycleNs() / MS))
        .with("work_ms", Result.rounded(found.workNs() / MS))
        .with("barrier_saves", found.barrierSaves())
        .with("misses_beside", found.misses())
        .with("scheduling", found.scheduling());
    report.add(
        Plot.histogram("Increments with a target of " + run.targetPauseNs() / 1_000 + " us", "ns")
            .mark("target", run.targetPauseNs())
            .histogram(name, found.pauseNs())
            .histogram("floor", found.floorNs()));
  }

  /**
   * Starts that do not wait for their large task.
   *
   * @param first the first start of each of several JVMs, in which all classes are loaded
   * @param last the last one of a JVM that has started often
   */
  public record Lazy(List<RestartRun.Start> first, RestartRun.Start last) {}

  /**
   * Adds starts that do not wait for their large task.
   *
   * @param foryNs how long Fory takes for all objects in JVMs of its own, each once; empty: unknown
   */
  public void addLazy(Lazy found, long[] foryNs) {
    long[] firstNs = found.first().stream().mapToLong(RestartRun.Start::answeredNs).toArray();
    long[] allNs = found.first().stream().mapToLong(RestartRun.Start::allNs).toArray();
    Result result =
        report
            .add("recover-lazy", "ms", Result.rounded(found.last().answeredNs() / MS))
            .with("all_ms", Result.rounded(found.last().allNs() / MS))
            .with("first_ms", Result.rounded(median(firstNs) / MS))
            .with("first_max_ms", Result.rounded(max(firstNs) / MS))
            .with("first_all_ms", Result.rounded(median(allNs) / MS))
            .with("first_jvms", firstNs.length)
            .with("objects", sizes.getLast());
    if (foryNs.length > 0) {
      result
          .with("fory_first_ms", Result.rounded(median(foryNs) / MS))
          .with("fory_first_max_ms", Result.rounded(max(foryNs) / MS));
    }
  }

  private static double median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double max(long[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  /** Adds a start that waits for everything. */
  public void add(String name, RecoverRun.Found found) {
    Result result =
        report
            .add(name, "ms", Result.rounded(found.medianNs() / MS))
            .with("first_ms", Result.rounded(found.firstNs() / MS))
            .with("objects", sizes.getLast());
    Result peer = report.result(name + "-" + PEER.word());
    if (peer != null) {
      result.withPeer(PEER.word(), (Number) peer.value());
    }
  }

  /** Adds a task beside a program that stores. */
  public void add(String name, TaskRun.Found found) {
    report
        .add(name, "misses", found.misses())
        .withTimes(found.responseNs())
        .with("releases", found.releases())
        .with("gap_p999_ns", found.gapNs().getValueAtPercentile(99.9))
        .with("gap_max_ns", found.gapNs().getMaxValue())
        .with("stores", found.stores())
        .with("granted", found.granted());
    gaps.histogram(name, found.gapNs());
  }

  /** Adds commits to a space with a journal, or without one. */
  public void add(String name, JournalRun.Found found) {
    Result result =
        report
            .add(name, "commits/s", Result.rounded(found.commitsPerS()))
            .with("p50", found.p50Ns())
            .with("p99", found.p99Ns())
            .with("max", found.maxNs())
            .with("commits_in_force", Result.rounded(found.commitsInForce()))
            .with("bytes_of_commit", Result.rounded(found.bytesOfCommit()))
            .with("refused", found.refused());
    Result without = report.result(JOURNAL_PEER);
    if (without != null && without != result) {
      result.withPeer(JOURNAL_PEER, (Number) without.value());
    }
  }

  /** Adds the plot of all such tasks. */
  public void addTasks() {
    report.add(gaps);
  }

  private static double perObject(StoreRun.Figure figure, long ns) {
    return Result.rounded(Math.max(1, ns) / (double) figure.size());
  }

  private void addPlot(StoredShape shape, String title, boolean stores) {
    Plot plot = Plot.lines(title, shape == StoredShape.TREE ? "objects" : "elements", "ms");
    plot.logX().logY();
    ToLongFunction<StoreRun.Figure> ns =
        stores ? StoreRun.Figure::storeNs : StoreRun.Figure::loadNs;
    for (StoreProgram each : stored.keySet()) {
      List<StoreRun.Figure> figures =
          sizes.stream().flatMap(size -> figure(each, shape, size).stream()).toList();
      if (!figures.isEmpty()) {
        plot.series(
            each.word(),
            figures.stream().mapToDouble(StoreRun.Figure::size).toArray(),
            figures.stream().mapToDouble(figure -> ns.applyAsLong(figure) / MS).toArray());
      }
    }
    report.add(plot);
  }
}
