package dev.takt.samples.trading;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.realtime.TimeText;
import org.HdrHistogram.Histogram;

/**
 * Makes a report of the application whose tasks are in a host, beside the one in one process: that
 * both find the same figures, and how long after its write an event is dealt with in each.
 */
final class HostedReport {
  private final TradingResult hosted;
  private final TradingResult here;
  private Report report;

  /**
   * Makes one.
   *
   * @param hosted of the application whose tasks are in a host
   * @param here of the one in one process
   */
  HostedReport(TradingResult hosted, TradingResult here) {
    this.hosted = hosted;
    this.here = here;
  }

  /** Returns what did not work, in one line, or null. */
  String problem() {
    if (hosted.problem() != null) {
      return "with a host: " + hosted.problem();
    }
    if (here.problem() != null) {
      return "in one process: " + here.problem();
    }
    boolean isWhole = hosted.passes() > 0 && here.passes() > 0;
    return isWhole && !hosted.figures().equals(here.figures())
        ? "the tasks in the host found %s, those in one process %s"
            .formatted(hosted.figures(), here.figures())
        : null;
  }

  Report of(String input, boolean isPaced) {
    Machine machine = Machine.detect().with("scheduling", hosted.tasks().scheduling());
    report = new Report("demo", "Takt demo with a host: stock trading on " + input, machine);
    report.columns("p50", "p99", "p999", "max", "what");
    addResponses();
    addCounts("host-", hosted, "the host: ");
    addCounts("here-", here, "one process: ");
    if (!isPaced) {
      addThroughput();
    }
    TradingReport.addMarket(report, hosted.figures());
    Plot plot = Plot.histogram("Response time: the tasks in a host, and in the same process", "ns");
    report.add(
        plot.histogram("host", hosted.responses()).histogram("one process", here.responses()));
    verdict();
    addNotes();
    return report;
  }

  private Result add(String name, String unit, Object value, String what) {
    return report.add(name, unit, value).with("what", what);
  }

  private Result add(String name, Histogram histogram, String what) {
    return add(name, "ns", histogram.getValueAtPercentile(50), what).withPercentiles(histogram);
  }

  private void addResponses() {
    addPair(
        "", hosted.responses(), here.responses(), "all events: from the write until dealt with");
    for (TaskMeter each : hosted.tasks().meters()) {
      Histogram there = each.response;
      Histogram same = here.tasks().meter(each.name).response;
      if (there.getTotalCount() > 0 && same.getTotalCount() > 0) {
        addPair("-" + each.name, there, same, "the same of the events of the task " + each.name);
      }
    }
  }

  private void addPair(String suffix, Histogram there, Histogram same, String what) {
    Result result = add("host-response" + suffix, there, what + ", in a host");
    if (there.getValueAtPercentile(50) > 0 && same.getValueAtPercentile(50) > 0) {
      result.withPeer("one process", same.getValueAtPercentile(50));
    }
    add("here-response" + suffix, same, what + ", in one process");
  }

  private void addCounts(String prefix, TradingResult of, String where) {
    Punctuality seller = of.punctuality();
    String releases = "of " + Quantity.number(seller.periods()) + " releases of the seller ";
    add(prefix + "misses", "count", seller.misses(), where + releases + "ended past their deadline")
        .with("periods", seller.periods());
    add(prefix + "skipped", "count", seller.skipped(), where + releases + "were skipped")
        .with("periods", seller.periods());
    long collections = of.tasks().collections();
    add(prefix + "collections", "count", collections, where + "collections of garbage");
    add(
        prefix + "alloc_bytes_per_release",
        "B",
        Result.rounded(of.tasks().allocatedBytesPerRelease()),
        where + "heap that a release allocated");
    add(prefix + "passes", "count", of.passes(), where + "passes that were completed, and agree");
    add(prefix + "stalls", "count", of.stalls(), where + "times that the feed waited for room");
  }

  private void addThroughput() {
    String what = "market lines a second, in the last pass, ";
    add("host-lines_per_s", "1/s", Result.rounded(hosted.linesPerSecond()), what + "with a host");
    add("here-lines_per_s", "1/s", Result.rounded(here.linesPerSecond()), what + "in one process");
  }

  private void verdict() {
    if (problem() != null) {
      report.verdict(false, "The work failed; the figures are those of what was done until then.");
      return;
    }
    report.verdict(
        true,
        "%s. Half of all events were dealt with within %s in a host, and within %s in one process; collections of garbage in the host: %d."
            .formatted(
                hosted.passes() > 0 ? "Both find the same figures" : "No pass was completed",
                median(hosted.responses()),
                median(here.responses()),
                hosted.tasks().collections()));
  }

  private static String median(Histogram ns) {
    return TimeText.rounded(ns.getValueAtPercentile(50));
  }

  private void addNotes() {
    report.note(
        "Response: from when the feed begins the transaction that writes an event, by the clock"
            + " that all processes of the machine share, until the end of the release that took it."
            + " It is measured where the task runs, in both.");
    report.note(
        "Passes over the data take turns, one in one process, one with a host; both sets of tasks"
            + " are there all the time. Times, misses and collections are without the first pass.");
    if (hosted.tasks().rests() > 0) {
      report.note(
          hosted.tasks().rests()
              + " times the budget of the links was used up, and the feed waited until the next 10"
              + " ms.");
    }
    if (hosted.cancelled() || here.cancelled()) {
      report.interrupted().note("The run was interrupted.");
    }
    if (problem() != null) {
      report.fail("demo", problem()).note("The work failed: " + problem());
    }
  }
}
