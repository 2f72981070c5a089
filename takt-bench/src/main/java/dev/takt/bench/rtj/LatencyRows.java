package dev.takt.bench.rtj;

import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The rows and figures of section 3.3: latency. */
final class LatencyRows {
  private LatencyRows() {}

  /** 3.3.1, and Fig. 2. */
  static void contextSwitch(Samples samples, Report report) {
    String what = "from before the higher thread's yield to after the lower one's";
    worst(samples, report, "3.3.1", what, Criterion.belowUs("max", 10), 2_800, "", "switch");
    median(samples, report, "3.3.1-p50", what, Criterion.belowUs("p50", 10), 2_100, "", "switch");
    Plot plot = Plot.lines("Fig. 2: context switch latency", "sample", "us").logY();
    samples(plot, "Takt", samples.series("switch"));
    if (samples.has("floor.switch")) {
      samples(plot, "C", samples.series("floor.switch"));
    }
    report.add(plot);
  }

  /** 3.3.4, and Table 8. */
  static void events(Samples samples, Report report) {
    new PaperTable("table_8_event_latency_us", samples, 1e3)
        .withDelta()
        .column("bound", "bound.latency", 14.675, 27.649, 14.355, 13.294)
        .column("pooled", "pooled.latency", 14.584, 27.241, 14.339, 12.902)
        .addTo(report);
    double[] paper = {27_241, 27_649};
    List<String> kinds = List.of("pooled", "bound");
    for (int i = 0; i < kinds.size(); i++) {
      String kind = kinds.get(i);
      String name = "3.3.4-" + kind;
      String what = "from before a fire to inside its " + kind + " handler";
      Criterion worst = Criterion.belowUs("max", 100);
      Criterion median = Criterion.belowUs("p50", 20);
      worst(samples, report, name, what, worst, paper[i], kind + ".", "latency");
      median(samples, report, name + "-p50", what, median, Double.NaN, kind + ".", "latency");
    }
  }

  /** The row that judges the worst case, as the paper does. */
  static void worst(
      Samples samples,
      Report report,
      String name,
      String what,
      Criterion criterion,
      double paperNs,
      String prefix,
      String series) {
    Stats stats = samples.stats(prefix + series);
    row(samples, name, what, criterion, prefix, series, Stats::max)
        .paper(paperNs)
        .heldUp(
            OsNoise.of(samples), criterion.limit() - stats.p50(), 0, stats.count() * stats.avg())
        .addTo(report);
  }

  /** The row that judges the median. */
  static void median(
      Samples samples,
      Report report,
      String name,
      String what,
      Criterion criterion,
      double paperNs,
      String prefix,
      String series) {
    row(samples, name, what, criterion, prefix, series, Stats::p50).paper(paperNs).addTo(report);
  }

  /** A row about one series and its floor; no criterion: null. */
  static Row row(
      Samples samples,
      String name,
      String what,
      Criterion criterion,
      String prefix,
      String series,
      ToDoubleFunction<Stats> judged) {
    Stats stats = samples.stats(prefix + series);
    Row row = Row.ns(name, what).criterion(criterion).measured(stats, judged.applyAsDouble(stats));
    String floorSeries = "floor." + prefix + series;
    if (stats.count() > 0 && samples.has(floorSeries)) {
      Stats floor = samples.stats(floorSeries);
      row.floor(floor, judged.applyAsDouble(floor));
    }
    return ThreadRows.stolen(row, samples, prefix);
  }

  private static void samples(Plot plot, String name, long[] valuesNs) {
    double[] x = new double[valuesNs.length];
    double[] y = new double[valuesNs.length];
    for (int i = 0; i < valuesNs.length; i++) {
      x[i] = i + 1;
      y[i] = valuesNs[i] / 1e3;
    }
    plot.series(name, x, y);
  }
}
