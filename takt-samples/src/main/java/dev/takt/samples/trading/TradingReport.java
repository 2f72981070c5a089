package dev.takt.samples.trading;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import org.HdrHistogram.Histogram;

/** Makes a report of what a run found. */
final class TradingReport {
  private TradingReport() {}

  static Report of(String input, String speed, int passes, TradingResult result) {
    Machine machine = Machine.detect().with("scheduling", result.grants().toString());
    Report report = new Report("demo", "Takt demo: stock trading on " + input, machine);
    PassFigures figures = result.figures();
    report.add("lines", "count", figures.lines());
    report.add("trades", "count", figures.trades());
    report.add("quantity", "units", figures.quantity());
    report.add("vwap", "price", figures.vwap());
    report.add("rising_runs", "count", figures.risingRuns());
    report.add("longest_run", "count", figures.longestRun());
    figures.counts().forEach((kind, count) -> report.add("count-" + kind, "count", count));
    report.add("lines_per_s", "1/s", Result.rounded(result.linesPerSecond()));
    report.add("passes", "count", result.passes());
    report.add("events", "count", result.events());
    report.add("offers", "count", result.offers());
    report.add("buys", "count", result.buys());
    report.add("misses", "count", result.misses());
    report.add("conflicts", "count", result.conflicts());
    report.add("stalls", "count", result.stalls());
    report.add("alloc_bytes_per_release", "B", Result.rounded(result.allocatedBytesPerRelease()));
    report.add("alloc_bytes_per_line", "B", Result.rounded(result.feedBytesPerLine()));
    addTimes(report, result);
    addNotes(report, speed, passes, result);
    return report;
  }

  private static void addTimes(Report report, TradingResult result) {
    Histogram response = new Histogram(TaskMeter.MAX_NS, 3);
    Plot responses =
        Plot.histogram(
            "Response time: from the write of an event to the end of the release that took it",
            "ns");
    for (TaskMeter meter : result.meters()) {
      response.add(meter.response);
      responses.histogram(meter.name, meter.response);
    }
    TaskMeter seller =
        result.meters().stream()
            .filter(meter -> meter.name.equals("seller"))
            .findFirst()
            .orElseThrow();
    Plot arrivals =
        Plot.histogram(
            "Inter-arrival time of the seller's releases (period "
                + TradingFloor.SELLER_PERIOD_NS / 1_000
                + " us)",
            "ns");
    report.add(arrivals.histogram("seller", seller.interArrival));
    report.add(responses);
    report.add(
        Plot.histogram("Processing time of a release", "ns")
            .histogram("seller", seller.processing));
    add(report, "inter-arrival", seller.interArrival);
    add(report, "processing", seller.processing);
    add(report, "lateness", seller.lateness);
    add(report, "response", response);
    for (TaskMeter meter : result.meters()) {
      if (meter.response.getTotalCount() > 0) {
        add(report, "response-" + meter.name, meter.response);
      }
    }
  }

  private static void add(Report report, String name, Histogram histogram) {
    report.add(name, "ns", histogram.getValueAtPercentile(50)).withPercentiles(histogram);
  }

  private static void addNotes(Report report, String speed, int passes, TradingResult result) {
    report.note("Scheduling of the tasks' threads: " + result.grants() + ".");
    report.note(
        "The market's figures are those of one pass, out of the space; "
            + result.passes()
            + " of "
            + passes
            + " passes at speed "
            + speed
            + " were completed and agree. lines_per_s: the last pass. Times and allocation:"
            + " without the first pass if there are more.");
    report.note(
        "inter-arrival, processing and lateness are the seller's (period 1 ms); a miss is a release of it that"
            + " ended after its period. response: from the write of an event to the end of the release that took it.");
    if (result.expired() > 0) {
      report.note(result.expired() + " offers had expired when the buyer saw them.");
    }
    if (result.cancelled()) {
      report.note("The run was interrupted.");
    }
    if (result.problem() != null) {
      report.note("The work failed: " + result.problem());
    }
  }
}
