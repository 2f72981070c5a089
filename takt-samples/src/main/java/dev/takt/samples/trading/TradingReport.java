package dev.takt.samples.trading;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import dev.takt.realtime.TimeText;
import dev.takt.samples.market.TradeFigures;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Makes a report of what a run found: what the market's figures are, how much went through, and how
 * punctual it was.
 */
final class TradingReport {
  private static final String MS = TradingFloor.SELLER_PERIOD_NS / 1_000_000 + " ms";

  /** More releases that are not in time than one in so many are not what one hopes for. */
  private static final int TOLERATED = 100;

  private final TradingResult result;
  private final TradingResult timed;
  private final boolean both;
  private Report report;

  /**
   * Makes one.
   *
   * @param result of the replay of all data
   * @param paced of the replay of a part at the market's pace, or null: then the other one gives
   *     the times
   */
  TradingReport(TradingResult result, TradingResult paced) {
    this.result = result;
    this.both = paced != null;
    this.timed = both ? paced : result;
  }

  Report of(String input, String speed, int passes) {
    Machine machine = Machine.detect().with("scheduling", timed.tasks().scheduling());
    report = new Report("demo", "Takt demo: stock trading on " + input, machine);
    report.columns("p50", "p99", "max", "what");
    addTimes();
    addWork();
    addMarket(report, result.figures());
    addPlots();
    verdict(speed);
    addNotes(speed, passes);
    return report;
  }

  private Result add(String name, String unit, Object value, String what) {
    return report.add(name, unit, value).with("what", what);
  }

  private void add(String name, Histogram histogram, String what) {
    add(name, "ns", histogram.getValueAtPercentile(50), what).withPercentiles(histogram);
  }

  private static TaskMeter seller(TradingResult result) {
    return result.tasks().meter("seller");
  }

  private void addTimes() {
    TaskMeter seller = seller(timed);
    String every = "seller, due every " + MS + ": ";
    add("lateness", seller.lateness, every + "how late its releases began");
    if (timed.beside() != null) {
      SleepingThread beside = timed.beside();
      Histogram late = beside.lateness;
      add("executor-lateness", late, "the same of a thread of a Java executor beside it");
      Result lateness = report.result("lateness");
      if (late.getValueAtPercentile(50) > 0 && ((Number) lateness.value()).longValue() > 0) {
        lateness.withPeer("executor", late.getValueAtPercentile(50));
      }
    }
    addPunctuality("", timed, "");
    if (timed.beside() != null) {
      long periods = timed.beside().lateness.getTotalCount();
      add(
              "executor-late-starts",
              "count",
              timed.beside().lateStarts(),
              "of " + Quantity.number(periods) + " periods of the executor began a period late")
          .with("periods", periods);
    }
    add("response", timed.responses(), "from writing an event until a task had dealt with it");
    for (TaskMeter meter : timed.tasks().meters()) {
      if (meter.response.getTotalCount() > 0) {
        add("response-" + meter.name, meter.response, "the same of the events of one task");
      }
    }
    add("inter-arrival", seller.interArrival, every + "from one release to the next");
    add("processing", seller.processing, every + "how long a release took");
    add(
        "alloc_bytes_per_release",
        "B",
        Result.rounded(timed.tasks().allocatedBytesPerRelease()),
        "heap that a release allocated, "
            + (timed.warm() ? "after the warm-up" : "warm-up included: the run was too short"));
  }

  private void addPunctuality(String prefix, TradingResult of, String when) {
    Punctuality seller = of.punctuality();
    String what = "of " + Quantity.number(seller.periods()) + " releases of the seller ";
    String misses = what + "ended past their deadline" + when;
    add(prefix + "misses", "count", seller.misses(), misses).with("periods", seller.periods());
    String skipped = what + "were skipped, because their time was over" + when;
    add(prefix + "skipped", "count", seller.skipped(), skipped).with("periods", seller.periods());
  }

  private void addWork() {
    String pass = "in the last pass at full speed, until the tasks had taken all";
    add(
        "lines_per_s",
        "1/s",
        Result.rounded(result.linesPerSecond()),
        "market lines a second, " + pass);
    add("passes", "count", result.passes(), "passes over all data that were completed, and agree");
    add("events", "count", result.events(), "market lines written into the space, all passes");
    add("offers", "count", result.offers(), "offers of the seller in the same time");
    add("buys", "count", result.buys(), "offers that were cheap enough for the buyer");
    add("conflicts", "count", result.tasks().conflicts(), "transactions that lost against another");
    add("stalls", "count", result.stalls(), "times that the feed waited for the tasks to take");
    add(
        "alloc_bytes_per_line",
        "B",
        Result.rounded(result.feedBytesPerLine()),
        "heap that the feed, an ordinary thread, allocated");
    if (both) {
      add("full-speed-response", result.responses(), "the response while the space is kept full");
      addPunctuality("full-speed-", result, ", while it is kept full");
    }
  }

  /** Adds what the tasks have found of the market. */
  static void addMarket(Report report, PassFigures figures) {
    add(report, "lines", figures.lines(), "the market: its lines or messages in one pass");
    TradeFigures trades = figures.trades();
    add(report, "trades", trades.trades(), "its trades");
    report.add("quantity", "units", trades.quantity()).with("what", "the sum of their quantities");
    report.add("vwap", "price", trades.vwap()).with("what", "their volume-weighted average price");
    add(report, "rising_runs", trades.risingRuns(), "trades that end 3 or more rising prices");
    add(report, "longest_run", trades.longestRun(), "the rises in the longest such run");
    figures
        .counts()
        .forEach((kind, count) -> add(report, "count-" + kind, count, "its lines of this kind"));
  }

  private static void add(Report report, String name, long count, String what) {
    report.add(name, "count", count).with("what", what);
  }

  private void addPlots() {
    TaskMeter seller = seller(timed);
    Plot late = Plot.histogram("How late: the seller and a Java executor beside it", "ns");
    late.histogram("seller", seller.lateness);
    if (timed.beside() != null) {
      report.add(late.histogram("executor", timed.beside().lateness));
    }
    report.add(
        Plot.histogram("Inter-arrival time of the seller's releases (period " + MS + ")", "ns")
            .mark("period", TradingFloor.SELLER_PERIOD_NS)
            .histogram("seller", seller.interArrival));
    Plot responses =
        Plot.histogram(
            "Response time: from the write of an event to the end of the release that took it",
            "ns");
    timed.tasks().meters().forEach(meter -> responses.histogram(meter.name, meter.response));
    report.add(responses);
    report.add(
        Plot.histogram("Processing time of a release", "ns")
            .histogram("seller", seller.processing));
  }

  private void verdict(String speed) {
    if (result.problem() != null || timed.problem() != null) {
      report.verdict(false, "The work failed; the figures are those of what was done until then.");
      return;
    }
    Histogram late = seller(timed).lateness;
    Histogram response = timed.responses();
    boolean good = timed.punctuality().notMet() * TOLERATED <= timed.punctuality().periods();
    String text;
    if (timed.beside() == null) {
      text = "%s %s, beside a space that was kept full.".formatted(throughput(), inTime(timed));
      good = true; // what is kept full is late; that is no fault
    } else {
      text = inTime(timed) + ".";
      if (late.getTotalCount() > 0 && response.getTotalCount() > 0) {
        text +=
            """
             Half of all releases began within %s of their due time (a sleeping Java executor beside \
            it: %s), and half of all events were dealt with within %s.\
            """
                .formatted(median(late), median(timed.beside().lateness), median(response));
      }
      text += both ? " " + throughput() : "";
    }
    report.verdict(good, text);
  }

  private static String median(Histogram ns) {
    return TimeText.rounded(ns.getValueAtPercentile(50));
  }

  private static String inTime(TradingResult of) {
    long periods = of.punctuality().periods();
    long notMet = of.punctuality().notMet();
    double percent = periods == 0 ? 100 : 100.0 * (periods - notMet) / periods;
    // Rounded down: "100 %" is to mean all of them.
    String met = String.format(Locale.ROOT, "%.2f", Math.floor(percent * 100) / 100);
    return String.format(
        Locale.ROOT,
        "%s %% of %,d releases, one every %s, met their deadline",
        notMet == 0 ? "100" : met,
        periods,
        MS);
  }

  private String throughput() {
    return String.format(
        Locale.ROOT,
        "At full speed %,d market lines a second went through.",
        Math.round(result.linesPerSecond()));
  }

  private void addNotes(String speed, int passes) {
    report.note("Scheduling of the tasks' threads: " + timed.tasks().scheduling() + ".");
    if (both) {
      report.note(
          "Times, misses, skipped and allocation: the busiest 200 s of the market, replayed ten"
              + " times as fast; the executor does nothing but look at the clock. Throughput and"
              + " the market's figures: all data at full speed, where the feed keeps the space"
              + " full, so that times there tell how long the queue is.");
    }
    report.note(
        "The market's figures are those of one pass, out of the space; %s of %s passes at speed %s were completed and agree. Times and allocation are without the warm-up: the first pass, or the first second where there is only one."
            .formatted(result.passes(), passes, speed));
    if (result.expired() > 0) {
      report.note(result.expired() + " offers had expired when the buyer saw them.");
    }
    if (result.cancelled() || timed.cancelled()) {
      report.interrupted().note("The run was interrupted.");
    }
    if (result.problem() != null || timed.problem() != null) {
      String problem = result.problem() != null ? result.problem() : timed.problem();
      report.fail("demo", problem).note("The work failed: " + problem);
    }
  }
}
