package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.function.ToDoubleFunction;

/**
 * Makes rows, tables and figures of the samples of a case, and puts them into a report.
 *
 * @param samples what a case found
 * @param report where the rows go
 */
record Rows(Samples samples, Report report) {
  Stats stats(String series) {
    return samples.stats(series);
  }

  /** Begins a table of the paper, whose unit has so many nanoseconds. */
  PaperTable table(String member, double unitNs) {
    return new PaperTable(member, this, unitNs);
  }

  /** Begins a row about a series, and the floor of the same name if there is one. */
  Row row(String name, String what, String series, ToDoubleFunction<Stats> judged) {
    Stats stats = stats(series);
    Row row = Row.ns(name, what).measured(stats, judged.applyAsDouble(stats));
    if (stats.count() > 0) {
      floor(row, series, judged);
    }
    String prefix = series.substring(0, series.lastIndexOf('.') + 1);
    return stolen(row, samples.series().containsKey(prefix + "steal") ? prefix : "");
  }

  /** Puts a floor beside a row, if there is one. */
  Row floor(Row row, String series, ToDoubleFunction<Stats> judged) {
    if (samples.has("floor." + series)) {
      Stats floor = stats("floor." + series);
      row.floor(floor, judged.applyAsDouble(floor));
    }
    return row;
  }

  /** Adds a row without a criterion. */
  void tell(
      String name, String what, String series, ToDoubleFunction<Stats> judged, double paperNs) {
    row(name, what, series, judged).paper(paperNs).addTo(report);
  }

  /** Adds a row that judges the median. */
  void median(String name, String what, String series, double limitUs, double paperNs) {
    row(name, what, series, Stats::p50)
        .criterion(Criterion.belowUs("p50", limitUs))
        .paper(paperNs)
        .addTo(report);
  }

  /** Adds a row that judges the worst case, as the paper does. */
  Result worst(String name, String what, String series, double limitUs, double paperNs) {
    Criterion criterion = Criterion.belowUs("max", limitUs);
    Stats stats = stats(series);
    return row(name, what, series, Stats::max)
        .criterion(criterion)
        .paper(paperNs)
        .heldUp(noise(), criterion.limit() - stats.p50(), 0, stats.count() * stats.avg())
        .addTo(report);
  }

  /** Returns what the machine did by itself meanwhile; null if that was not measured. */
  OsNoise noise() {
    return OsNoise.of(samples);
  }

  /** Adds to a row what the hypervisor took from the series that begin so. */
  Row stolen(Row row, String prefix) {
    return row.stolen(samples.sum(prefix + "steal"), samples.sum("floor." + prefix + "steal"));
  }
}
