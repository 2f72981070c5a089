package dev.takt.bench.cpu;

import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.realtime.TimeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * The rows and figures of the five tasks.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class MultitaskRows {
  /** Of the paper: Java with a real-time priority, and QoS Animator. Source: CPU control 3.2. */
  static final double PAPER_RT_PERCENT = 15.2;

  static final double PAPER_MANAGER_PERCENT = 1.8;
  private static final long PAPER_RT_MEAN_NS = 111_000_000;
  private static final long PAPER_MANAGER_MEAN_NS = 102_000_000;

  /** How far from the period an inter-arrival time may be: 11 %. */
  private static final double RANGE = 0.11;

  private static final long MS = 1_000_000;
  private static final int BAR_MS = 4;
  private static final int FIRST_BAR_MS = 80;
  private static final int LAST_BAR_MS = 120;

  private record Block(MultitaskRun.Multitasked found, double grabbedPercent) {
    ReleaseTimes watched() {
      return found.times().get(Integer.toString(MultitaskRun.WATCHED_MS));
    }

    /** Returns what was done about the fifth task, in the end. */
    Optional<MultitaskRun.Found> handled() {
      return found.found().stream()
          .filter(each -> List.of("DEMOTED", "DROPPED", "UNSTOPPABLE").contains(each.kind()))
          .reduce((_, last) -> last);
    }
  }

  private record Row(Contestant contestant, List<Block> blocks) {
    long[] each(Function<ReleaseTimes, long[]> values) {
      return blocks.stream()
          .flatMapToLong(block -> LongStream.of(values.apply(block.watched())))
          .toArray();
    }
  }

  private final Map<String, Row> rows = new LinkedHashMap<>();

  /** Takes what one block has found. */
  void take(
      String name, Contestant contestant, MultitaskRun.Multitasked found, double grabbedPercent) {
    rows.computeIfAbsent(name, _ -> new Row(contestant, new ArrayList<>()))
        .blocks()
        .add(new Block(found, grabbedPercent));
  }

  /** Adds the rows and figures. */
  void addTo(Report report) {
    rows.forEach((name, row) -> add(report, name, row));
    rows.forEach(
        (name, row) -> {
          if (name.equals("multi-" + row.contestant().word())) {
            report.add(
                CpuReport.over(
                    "Inter-arrival time of the task of 100 ms, " + figure(row.contestant()),
                    "iteration",
                    name,
                    row.each(ReleaseTimes::beginGapsNs)));
          }
        });
    addBars(report, "without a CPU manager (Fig. 8; paper: 15.2 % outside of +-11 ms)", false);
    addBars(report, "with the CPU manager (Fig. 9; paper: 1.8 % outside of +-11 ms)", true);
  }

  private static String figure(Contestant contestant) {
    return switch (contestant) {
      case STANDARD -> "standard Java";
      case RT -> "Java with real-time priority (Fig. 6; paper: mean 111 ms)";
      case PORTABLE -> "CPU manager, portable (Fig. 7; paper: mean 102 ms)";
      case FIFO -> "CPU manager, fixed priorities (Fig. 7)";
      case DEADLINE -> "CPU manager, reservations (Fig. 7)";
    };
  }

  private void add(Report report, String name, Row row) {
    long[] gapsNs = row.each(ReleaseTimes::beginGapsNs);
    double outside = outsidePercent(gapsNs);
    Histogram histogram = VideoRows.histogram(gapsNs);
    Block last = row.blocks().getLast();
    Result result =
        report
            .add(name, "%", outside)
            .withTimes(histogram)
            .with("outside_percent", outside)
            .with("mean", Math.round(LongStream.of(gapsNs).average().orElse(0)))
            .with("end_outside_percent", outsidePercent(row.each(ReleaseTimes::endGapsNs)))
            .with("periods", gapsNs.length)
            .with("busy_p50", busyNs(row))
            .with("others_missed", missed(row))
            .with("granted", last.found().granted())
            .with("user", last.found().user())
            .with("grabbed_percent", grabbed(row));
    if (row.contestant().isManaged()) {
      addHandled(result, row);
    }
    if (name.equals("multi-rt")) {
      result.withPaper(PAPER_RT_PERCENT).with("paper_mean", PAPER_RT_MEAN_NS);
    } else if (row.contestant().isManaged() && !name.endsWith("endless")) {
      result.withPaper(PAPER_MANAGER_PERCENT).with("paper_mean", PAPER_MANAGER_MEAN_NS);
      CpuReport.judge(
          result,
          row.contestant(),
          outside <= PAPER_MANAGER_PERCENT
              ? ""
              : "at most 1.8 % of the inter-arrival times outside of +-11 ms");
    }
  }

  /** What became of the fifth task, at the worst. */
  private static void addHandled(Result result, Row row) {
    List<MultitaskRun.Found> handled =
        row.blocks().stream().flatMap(each -> each.handled().stream()).toList();
    result.with("fifth", fifth(row, handled));
    handled.stream()
        .mapToLong(MultitaskRun.Found::afterNs)
        .max()
        .ifPresent(ns -> result.with("fifth_max_ms", Result.rounded(ns / 1e6)));
    Block last = row.blocks().getLast();
    result.with(
        "states",
        last.found().states().entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", ")));
  }

  private static String fifth(Row row, List<MultitaskRun.Found> handled) {
    if (handled.size() < row.blocks().size()) {
      return "not found to exceed its class in each block";
    }
    return handled.stream()
        .map(
            each ->
                "%s after %s: %s"
                    .formatted(each.kind(), TimeText.rounded(each.afterNs()), each.detail()))
        .collect(Collectors.joining("; "));
  }

  private static long missed(Row row) {
    return row.blocks().stream()
        .flatMap(each -> each.found().times().values().stream())
        .mapToLong(each -> each.later(each.periodNs()))
        .sum();
  }

  private static long busyNs(Row row) {
    return VideoRows.histogram(row.each(ReleaseTimes::busyNs)).getValueAtPercentile(50);
  }

  private static double grabbed(Row row) {
    return Result.rounded(
        row.blocks().stream().mapToDouble(Block::grabbedPercent).average().orElse(0));
  }

  /** Returns which part of inter-arrival times is outside; one of n periods counts n times. */
  static double outsidePercent(long[] gapsNs) {
    double periodNs = MultitaskRun.WATCHED_MS * (double) MS;
    long all = 0;
    long outside = 0;
    for (long each : gapsNs) {
      long times = Math.max(1, Math.round(each / periodNs));
      all += times;
      outside += Math.abs(each - periodNs) > RANGE * periodNs ? times : 0;
    }
    return Result.rounded(100.0 * outside / Math.max(1, all));
  }

  private void addBars(Report report, String title, boolean managed) {
    Plot plot = Plot.bars("Inter-arrival times of the task of 100 ms, in ms, " + title, "% of all");
    rows.forEach(
        (name, row) -> {
          if (row.contestant().isManaged() == managed
              && name.equals("multi-" + row.contestant().word())) {
            bars(plot, name, row.each(ReleaseTimes::beginGapsNs));
          }
        });
    report.add(plot);
  }

  private static void bars(Plot plot, String name, long[] gapsNs) {
    for (int fromMs = FIRST_BAR_MS; fromMs <= LAST_BAR_MS; fromMs += BAR_MS) {
      boolean first = fromMs == FIRST_BAR_MS;
      boolean last = fromMs == LAST_BAR_MS;
      long leastNs = first ? 0 : fromMs * MS;
      long mostNs = last ? Long.MAX_VALUE : (fromMs + BAR_MS) * MS;
      long count = LongStream.of(gapsNs).filter(ns -> ns >= leastNs && ns < mostNs).count();
      String group = first ? "to " + (fromMs + BAR_MS) : "from " + fromMs;
      plot.bar(group, name, Result.rounded(100.0 * count / Math.max(1, gapsNs.length)));
    }
  }
}
