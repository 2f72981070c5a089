package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The rows of sections 3.1 (throughput) and 3.2 (determinism). */
final class ThreadRows {
  private static final List<String> KINDS = List.of("no-heap", "realtime", "ordinary");
  private static final double[] KIND_PAPER_NS = {3_520_100, 3_508_700, 3_517_400};
  private static final double[] CONTENTION_PAPER_NS = {3_525_300, 3_529_000};
  private static final List<String> THREADS = List.of("0-threads", "15-threads");

  private ThreadRows() {}

  /** 3.1.1, and Table 1. */
  static void throughput(Samples samples, Report report) {
    tableOne(samples, report);
    apart(
        samples,
        report,
        "3.1.1",
        "the kinds of thread apart in execution time, ",
        judged -> Criterion.atMostPercent(judged, 1),
        new double[] {0.324, 0.643, 0.376},
        KINDS,
        "");
    for (int i = 0; i < KINDS.size(); i++) {
      String what = "execution time in a thread of this kind";
      LatencyRows.row(samples, "3.1.1-" + KINDS.get(i), what, null, "", KINDS.get(i), Stats::avg)
          .paper(KIND_PAPER_NS[i])
          .addTo(report);
    }
  }

  private static void tableOne(Samples samples, Report report) {
    new PaperTable("table_1_execution_times_by_kind_of_thread_ms", samples, 1e6)
        .column("no_heap", "no-heap", 3.5201, 3.5372, 3.5109)
        .column("realtime", "realtime", 3.5087, 3.5601, 3.4977)
        .column("ordinary", "ordinary", 3.5174, 3.5439, 3.5076)
        .column("difference_percent", percentApart(samples, KINDS, "", ""), 0.324, 0.643, 0.376)
        .addTo(report);
  }

  /** 3.1.2, and Table 2. */
  static void contention(Samples samples, Report report) {
    new PaperTable("table_2_execution_times_with_contending_threads_ms", samples, 1e6)
        .column("0_threads", "0-threads.work", 3.5253, 3.5395, 3.5218, 0.0177)
        .column("15_threads", "15-threads.work", 3.5290, 3.5669, 3.5244, 0.0424)
        .column(
            "difference_percent",
            percentApart(samples, THREADS, "", ".work"),
            0.1035,
            0.7673,
            0.0756)
        .addTo(report);
    apart(
        samples,
        report,
        "3.1.2",
        "0 and 15 contending threads apart in execution time, ",
        judged -> Criterion.belowPercent(judged, 5),
        new double[] {0.1035, 0.7673, 0.0756},
        THREADS,
        ".work");
    for (int i = 0; i < THREADS.size(); i++) {
      String what = "execution time with so many contending threads";
      LatencyRows.row(
              samples,
              "3.1.2-" + THREADS.get(i),
              what,
              null,
              THREADS.get(i) + ".",
              "work",
              Stats::avg)
          .paper(CONTENTION_PAPER_NS[i])
          .addTo(report);
    }
  }

  private static Stats percentApart(
      Samples samples, List<String> names, String prefix, String suffix) {
    return Stats.percentApart(
        names.stream().map(each -> samples.stats(prefix + each + suffix)).toArray(Stats[]::new));
  }

  /** Three rows, as the paper's tables have three: of the averages, the largest, the smallest. */
  private static void apart(
      Samples samples,
      Report report,
      String name,
      String what,
      Function<String, Criterion> criteria,
      double[] paper,
      List<String> series,
      String suffix) {
    List<String> statistics = List.of("avg", "max", "min");
    List<ToDoubleFunction<Stats>> figures = List.of(Stats::avg, Stats::max, Stats::min);
    Stats apart = percentApart(samples, series, "", suffix);
    boolean floored = samples.has("floor." + series.getFirst() + suffix);
    Stats one = samples.stats(series.getFirst() + suffix);
    // A hold-up that is this part of an execution is too long for the largest; for the average, if
    // it is that part of all of them; the smallest is the one that nothing has held up.
    double[] partNs = {one.avg() * one.count() / 100, one.avg() / 100, 0};
    for (int i = 0; i < statistics.size(); i++) {
      String judged = statistics.get(i);
      ToDoubleFunction<Stats> figure = figures.get(i);
      Criterion criterion = criteria.apply(judged);
      Row row =
          Row.percent(i == 0 ? name : name + "-" + judged, what + judged)
              .criterion(criterion)
              .paper(paper[i])
              .measured(apart, figure.applyAsDouble(apart))
              .heldUp(
                  OsNoise.of(samples),
                  criterion.limit() * partNs[i],
                  0,
                  series.size() * one.count() * one.avg())
              .stolen(steal(samples, ""), steal(samples, "floor."));
      if (floored) {
        Stats floor = percentApart(samples, series, "floor.", suffix);
        row.floor(floor, figure.applyAsDouble(floor));
      }
      row.addTo(report);
    }
  }

  /** 3.2.1: jitter of the beginnings of frames; Table 3. */
  static void startOfFrame(Samples samples, Report report) {
    new PaperTable("table_3_frames_measured_at_their_start_ms", samples, 1e6)
        .withDelta()
        .column("0_threads", "0-threads.start", 50, 50.0048, 49.9954, 0.0094)
        .column("15_threads", "15-threads.start", 50, 50.0241, 49.9794, 0.0447)
        .addTo(report);
    double[] paper = {9_400, 44_700};
    jitter(samples, report, "3.2.1-", "start", "from one start of frame to the next", paper);
  }

  /** 3.2.2: jitter of their ends; Table 4. */
  static void endOfFrame(Samples samples, Report report) {
    new PaperTable("table_4_frames_measured_at_their_end_ms", samples, 1e6)
        .withDelta()
        .column("0_threads", "0-threads.end", 50, 50.0153, 49.9870, 0.0282)
        .column("15_threads", "15-threads.end", 50, 50.0688, 49.9247, 0.1441)
        .addTo(report);
    double[] paper = {28_200, 144_100};
    jitter(samples, report, "3.2.2-", "end", "from one end of frame to the next", paper);
  }

  /** 3.2.3: jitter of a timer's events; Table 5. */
  static void periodicEvent(Samples samples, Report report) {
    new PaperTable("table_5_frames_measured_at_events_ms", samples, 1e6)
        .withDelta()
        .column("pooled_0", "pooled-0-threads.event", 50, 50.0667, 49.9337, 0.1330)
        .column("bound_0", "bound-0-threads.event", 50, 50.0087, 49.9920, 0.0167)
        .column("pooled_15", "pooled-15-threads.event", 50, 50.0908, 49.9386, 0.1522)
        .column("bound_15", "bound-15-threads.event", 50, 50.0954, 49.9024, 0.1930)
        .addTo(report);
    for (String kind : List.of("pooled", "bound")) {
      boolean pooled = kind.equals("pooled");
      double[] paper = pooled ? new double[] {133_000, 152_200} : new double[] {16_700, 193_000};
      String what = "from one handling of a timer's event to the next";
      for (int i = 0; i < THREADS.size(); i++) {
        String name = kind + "-" + THREADS.get(i);
        jitter(samples, report, "3.2.3-" + name, name + ".", "event", what, paper[i]);
      }
    }
  }

  private static void jitter(
      Samples samples, Report report, String name, String series, String what, double[] paper) {
    for (int i = 0; i < THREADS.size(); i++) {
      String threads = THREADS.get(i);
      jitter(samples, report, name + threads, threads + ".", series, what, paper[i]);
    }
  }

  private static void jitter(
      Samples samples,
      Report report,
      String name,
      String prefix,
      String series,
      String what,
      double paper) {
    Criterion criterion = Criterion.belowMs("max - min", 0.5);
    Stats stats = samples.stats(prefix + series);
    double workNs = series.equals("end") ? samples.stats(prefix + "work").avg() : 0;
    // One frame that is late makes a period longer and the next one shorter.
    LatencyRows.row(samples, name, what, criterion, prefix, series, Stats::spread)
        .paper(paper)
        .heldUp(OsNoise.of(samples), criterion.limit() / 2, stats.count(), stats.count() * workNs)
        .addTo(report);
  }

  static Row stolen(Row row, Samples samples, String prefix) {
    return row.stolen(samples.sum(prefix + "steal"), samples.sum("floor." + prefix + "steal"));
  }

  private static long steal(Samples samples, String prefix) {
    return samples.sum(prefix + "steal")
        + THREADS.stream().mapToLong(each -> samples.sum(prefix + each + ".steal")).sum();
  }
}
