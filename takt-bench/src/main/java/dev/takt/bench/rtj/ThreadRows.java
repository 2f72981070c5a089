package dev.takt.bench.rtj;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The rows of sections 3.1 (throughput) and 3.2 (determinism). */
final class ThreadRows {
  private static final List<String> KINDS = List.of("no-heap", "realtime", "ordinary");
  private static final double[] KIND_PAPER_NS = {3_520_100, 3_508_700, 3_517_400};
  private static final double[] KIND_PAPER_APART = {0.324, 0.643, 0.376};
  private static final List<String> THREADS = List.of("0-threads", "15-threads");
  private static final double[] CONTENTION_PAPER_NS = {3_525_300, 3_529_000};
  private static final double[] CONTENTION_PAPER_APART = {0.1035, 0.7673, 0.0756};

  private ThreadRows() {}

  /** 3.1.1, and Table 1. */
  static void throughput(Rows rows) {
    rows.table("table_1_execution_times_by_kind_of_thread_ms", 1e6)
        .column("no_heap", "no-heap", 3.5201, 3.5372, 3.5109)
        .column("realtime", "realtime", 3.5087, 3.5601, 3.4977)
        .column("ordinary", "ordinary", 3.5174, 3.5439, 3.5076)
        .column("difference_percent", percentApart(rows, KINDS, "", ""), KIND_PAPER_APART)
        .add();
    String apart = "the kinds of thread apart in execution time, ";
    Function<String, Criterion> limit = judged -> Criterion.atMostPercent(judged, 1);
    apart(rows, "3.1.1", apart, limit, KIND_PAPER_APART, KINDS, "");
    String what = "execution time in a thread of this kind";
    for (int i = 0; i < KINDS.size(); i++) {
      String kind = KINDS.get(i);
      rows.tell("3.1.1-" + kind, what, kind, Stats::avg, KIND_PAPER_NS[i]);
    }
  }

  /** 3.1.2, and Table 2. */
  static void contention(Rows rows) {
    Stats difference = percentApart(rows, THREADS, "", ".work");
    rows.table("table_2_execution_times_with_contending_threads_ms", 1e6)
        .column("0_threads", "0-threads.work", 3.5253, 3.5395, 3.5218, 0.0177)
        .column("15_threads", "15-threads.work", 3.5290, 3.5669, 3.5244, 0.0424)
        .column("difference_percent", difference, CONTENTION_PAPER_APART)
        .add();
    String apart = "0 and 15 contending threads apart in execution time, ";
    Function<String, Criterion> limit = judged -> Criterion.belowPercent(judged, 5);
    apart(rows, "3.1.2", apart, limit, CONTENTION_PAPER_APART, THREADS, ".work");
    String what = "execution time with so many contending threads";
    for (int i = 0; i < THREADS.size(); i++) {
      String threads = THREADS.get(i);
      rows.tell("3.1.2-" + threads, what, threads + ".work", Stats::avg, CONTENTION_PAPER_NS[i]);
    }
  }

  private static Stats percentApart(Rows rows, List<String> names, String prefix, String suffix) {
    return Stats.percentApart(
        names.stream().map(each -> rows.stats(prefix + each + suffix)).toArray(Stats[]::new));
  }

  /** Three rows, as the paper's tables have three: of the averages, the largest, the smallest. */
  private static void apart(
      Rows rows,
      String name,
      String what,
      Function<String, Criterion> criteria,
      double[] paper,
      List<String> series,
      String suffix) {
    List<String> statistics = List.of("avg", "max", "min");
    List<ToDoubleFunction<Stats>> figures = List.of(Stats::avg, Stats::max, Stats::min);
    Stats apart = percentApart(rows, series, "", suffix);
    Stats one = rows.stats(series.getFirst() + suffix);
    // A hold-up that is this part of an execution is too long for the largest; for the average, if
    // it is that part of all of them; the smallest is the one that nothing has held up.
    double[] partNs = {one.avg() * one.count() / 100, one.avg() / 100, 0};
    double allNs = series.size() * one.count() * one.avg();
    for (int i = 0; i < statistics.size(); i++) {
      String judged = statistics.get(i);
      ToDoubleFunction<Stats> figure = figures.get(i);
      Criterion criterion = criteria.apply(judged);
      Row row =
          Row.percent(i == 0 ? name : name + "-" + judged, what + judged)
              .criterion(criterion)
              .paper(paper[i])
              .measured(apart, figure.applyAsDouble(apart))
              .heldUp(rows.noise(), criterion.limit() * partNs[i], 0, allNs)
              .stolen(steal(rows, ""), steal(rows, "floor."));
      if (rows.samples().has("floor." + series.getFirst() + suffix)) {
        Stats floor = percentApart(rows, series, "floor.", suffix);
        row.floor(floor, figure.applyAsDouble(floor));
      }
      row.addTo(rows.report());
    }
  }

  /** 3.2.1: jitter of the beginnings of frames; Table 3. */
  static void startOfFrame(Rows rows) {
    rows.table("table_3_frames_measured_at_their_start_ms", 1e6)
        .withDelta()
        .column("0_threads", "0-threads.start", 50, 50.0048, 49.9954, 0.0094)
        .column("15_threads", "15-threads.start", 50, 50.0241, 49.9794, 0.0447)
        .add();
    jitter(rows, "3.2.1-", "", "start", "from one start of frame to the next", 9_400, 44_700);
  }

  /** 3.2.2: jitter of their ends; Table 4. */
  static void endOfFrame(Rows rows) {
    rows.table("table_4_frames_measured_at_their_end_ms", 1e6)
        .withDelta()
        .column("0_threads", "0-threads.end", 50, 50.0153, 49.9870, 0.0282)
        .column("15_threads", "15-threads.end", 50, 50.0688, 49.9247, 0.1441)
        .add();
    jitter(rows, "3.2.2-", "", "end", "from one end of frame to the next", 28_200, 144_100);
  }

  /** 3.2.3: jitter of a timer's events; Table 5. */
  static void periodicEvent(Rows rows) {
    rows.table("table_5_frames_measured_at_events_ms", 1e6)
        .withDelta()
        .column("pooled_0", "pooled-0-threads.event", 50, 50.0667, 49.9337, 0.1330)
        .column("bound_0", "bound-0-threads.event", 50, 50.0087, 49.9920, 0.0167)
        .column("pooled_15", "pooled-15-threads.event", 50, 50.0908, 49.9386, 0.1522)
        .column("bound_15", "bound-15-threads.event", 50, 50.0954, 49.9024, 0.1930)
        .add();
    String what = "from one handling of a timer's event to the next";
    jitter(rows, "3.2.3-", "pooled-", "event", what, 133_000, 152_200);
    jitter(rows, "3.2.3-", "bound-", "event", what, 16_700, 193_000);
  }

  /** Adds a row without contending threads, and one with them. */
  private static void jitter(
      Rows rows, String name, String kind, String series, String what, double... paperNs) {
    Criterion criterion = Criterion.belowMs("max - min", 0.5);
    for (int i = 0; i < THREADS.size(); i++) {
      String threads = kind + THREADS.get(i);
      Stats stats = rows.stats(threads + "." + series);
      double workNs = series.equals("end") ? rows.stats(threads + ".work").avg() : 0;
      // One frame that is late makes a period longer and the next one shorter.
      double enoughNs = criterion.limit() / 2;
      rows.row(name + threads, what, threads + "." + series, Stats::spread)
          .criterion(criterion)
          .paper(paperNs[i])
          .heldUp(rows.noise(), enoughNs, stats.count(), stats.count() * workNs)
          .addTo(rows.report());
    }
  }

  private static long steal(Rows rows, String prefix) {
    return rows.samples().sum(prefix + "steal")
        + THREADS.stream().mapToLong(each -> rows.samples().sum(prefix + each + ".steal")).sum();
  }
}
