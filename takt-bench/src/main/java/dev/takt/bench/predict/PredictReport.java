package dev.takt.bench.predict;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Outcome;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.HdrHistogram.Histogram;

/**
 * Makes the results, figures and notes of what the runs found.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class PredictReport {
  /** 18 of 50,000 periods, in percent. */
  private static final double PAPER_PERCENT = 0.036;

  /** 65 of 100,000 periods, in percent. */
  private static final double PAPER_SELLER_PERCENT = 0.065;

  private static final double MAX_TIMES_CYCLICTEST = 1.2;
  private static final double MAX_LATE_PERCENT = 0.1;
  private static final double MAX_SPIN_PERCENT = 30;
  private static final long MAX_ERROR_P50_NS = 1_000;
  private static final long MAX_ERROR_P99_NS = 15_000;

  /** The floors there can be; one of them is there, or none. */
  private static final List<String> FLOORS = List.of("cyclictest", "floor");

  private static final List<String> COUNTS =
      List.of("late", "periods", "late_releases", "steal_ticks", "fifo_priority", "noise_rounds");

  private final Report report;
  private final long taskPeriodNs;
  private final long sellerPeriodNs;

  /** Makes one that adds to a report. */
  public PredictReport(Report report, long taskPeriodNs, long sellerPeriodNs) {
    this.report = report;
    this.taskPeriodNs = taskPeriodNs;
    this.sellerPeriodNs = sellerPeriodNs;
  }

  /** Adds the run of Reflexes Fig. 8. */
  public void addPaperRun(Map<String, Outcome> outcomes) {
    addTask("period-50us-50000", "takt", "-50000", outcomes)
        .withPaper(PAPER_PERCENT)
        .with("paper_late", 18)
        .with("paper_periods", 50_000);
    report.add(
        Plot.histogram("From one release to the next (Fig. 8), 50,000 periods", "ns")
            .mark("period", taskPeriodNs)
            .histogram("takt", outcomes.get("takt").gapNs()));
  }

  /** Adds the long run, with plain Java beside it. */
  public void addLongRun(Map<String, Outcome> outcomes) {
    addTask("period-50us", "takt", "", outcomes).withPaper(PAPER_PERCENT);
    Plot gaps =
        Plot.histogram("From one release to the next (Fig. 8), the long run", "ns")
            .mark("period", taskPeriodNs);
    Plot lateness =
        Plot.histogram("How late each due time was served", "ns").mark("period", taskPeriodNs);
    Plot late = Plot.histogram("How late the late ones were", "ns");
    outcomes.forEach(
        (name, outcome) -> {
          if (!name.equals("takt") && !FLOORS.contains(name)) {
            addPlain(name, outcome);
          }
          gaps.histogram(name, outcome.gapNs());
          lateness.histogram(name, outcome.lateness().batchNs());
          late.histogram(name, outcome.lateNs(taskPeriodNs));
        });
    report.add(gaps).add(lateness).add(late).add(lateOverTime(outcomes.get("takt")));
  }

  /** Adds the run of the seller. */
  public void addSeller(Map<String, Outcome> outcomes) {
    Outcome seller = outcomes.get("seller");
    addTask("seller-80us", "seller", "-80us", outcomes)
        .with("processing_p50", seller.busyNs().getValueAtPercentile(50))
        .with("processing_p99", seller.busyNs().getValueAtPercentile(99))
        .with("processing_max", seller.busyNs().getMaxValue())
        .withPaper(PAPER_SELLER_PERCENT)
        .with("paper_late", 65)
        .with("paper_periods", 100_000)
        .with("paper_processing", 10_000);
    report.add(
        Plot.histogram("The seller: inter-arrival and processing time (Fig. 10)", "ns")
            .mark("period", sellerPeriodNs)
            .histogram("inter-arrival", seller.gapNs())
            .histogram("processing", seller.busyNs()));
  }

  /** Adds times in which a supervisor has seen or ended a release; the value is the median. */
  public void addSupervision(Map<String, Histogram> times) {
    times.forEach(
        (name, ns) -> report.add(name, "ns", ns.getValueAtPercentile(50)).withPercentiles(ns));
  }

  /** Adds a task, and the floor beside it, whose result's name has this suffix. */
  private Result addTask(
      String name, String task, String floorSuffix, Map<String, Outcome> outcomes) {
    Outcome outcome = outcomes.get(task);
    String floorName =
        FLOORS.stream().filter(outcomes::containsKey).findFirst().orElse(FLOORS.getFirst());
    Outcome floor = outcomes.get(floorName);
    Result result =
        add(name, outcome)
            .with("conflicts", Math.round(outcome.count("conflicts")))
            .with("spin_percent", Result.rounded(outcome.spinPercent()))
            .with("memory_locked", outcome.count("memory_locked") > 0);
    if (floor != null) {
      compare(result, outcome, floorName, floor);
      add(floorName + floorSuffix, floor);
    }
    String unmet = unmet(outcome, floorName, floor);
    return result.with("pass", unmet.isEmpty()).with("not_met", unmet);
  }

  private static void compare(Result result, Outcome outcome, String floorName, Outcome floor) {
    if (outcome.latePercent() > 0 && floor.latePercent() > 0) {
      result
          .withPeer(floorName, Result.rounded(floor.latePercent()))
          .with("times_" + floorName, Result.rounded(outcome.latePercent() / floor.latePercent()));
    } else {
      result.with("peer", floorName).with("peer_value", Result.rounded(floor.latePercent()));
    }
  }

  /** What is wanted of a task and was not found, and what the floor had of it; or nothing. */
  static String unmet(Outcome outcome, String floorName, Outcome floor) {
    StringJoiner unmet = new StringJoiner(", ");
    if (floor != null && outcome.latePercent() > MAX_TIMES_CYCLICTEST * floor.latePercent()) {
      unmet.add("late due times at most 1.2 times " + floorName + "'s");
    }
    if (outcome.latePercent() >= MAX_LATE_PERCENT) {
      unmet.add("late due times under 0.1 %" + floorLate(floorName, floor));
    }
    if (outcome.gapErrorNs().getValueAtPercentile(50) >= MAX_ERROR_P50_NS) {
      unmet.add("inter-arrival p50 error under 1 us");
    }
    if (outcome.gapErrorNs().getValueAtPercentile(99) >= MAX_ERROR_P99_NS) {
      unmet.add("inter-arrival p99 error under 15 us" + floorSpread(floorName, floor));
    }
    if (outcome.count("bytes") > 0) {
      unmet.add("0 bytes");
    }
    if (outcome.spinPercent() > MAX_SPIN_PERCENT) {
      unmet.add("at most 30 % spinning");
    }
    return unmet.toString();
  }

  private static String floorLate(String floorName, Outcome floor) {
    return floor == null
        ? ""
        : String.format(Locale.ROOT, " (%s: %.3g %%)", floorName, floor.latePercent());
  }

  /** It does not tell from when to when, but by how much its wake-ups vary. */
  private static String floorSpread(String floorName, Outcome floor) {
    if (floor == null) {
      return "";
    }
    Histogram late = floor.lateness().batchNs();
    long spreadNs = late.getValueAtPercentile(99) - late.getValueAtPercentile(50);
    return String.format(
        Locale.ROOT, " (%s: %.3g us from p50 to p99 of its lateness)", floorName, spreadNs / 1e3);
  }

  private void addPlain(String name, Outcome outcome) {
    Result result = add(name, outcome);
    Object takt = report.result("period-50us").value();
    if (outcome.latePercent() > 0 && ((Number) takt).doubleValue() > 0) {
      result.withPeer("period-50us", (Number) takt);
    }
  }

  /** The value is the part of the due times that were late, in percent; times are in ns. */
  private Result add(String name, Outcome outcome) {
    Result result =
        report
            .add(name, "%", Result.rounded(outcome.latePercent()))
            .withTimes(outcome.lateness().batchNs())
            .with("late_release_percent", Result.rounded(outcome.lateReleasePercent()));
    for (String count : COUNTS) {
      result.with(count, Math.round(outcome.count(count)));
    }
    if (outcome.gapNs().getTotalCount() > 0) {
      result
          .with("gap_p50", outcome.gapNs().getValueAtPercentile(50))
          .with("gap_p99", outcome.gapNs().getValueAtPercentile(99))
          .with("gap_error_p50", outcome.gapErrorNs().getValueAtPercentile(50))
          .with("gap_error_p99", outcome.gapErrorNs().getValueAtPercentile(99))
          .with("interval_error_p99", outcome.intervalErrorNs().getValueAtPercentile(99))
          .withAllocBytes(Result.rounded(outcome.lateness().allocBytes()));
    }
    return result;
  }

  private void addVerdict() {
    Result task = report.result("period-50us");
    if (task == null) {
      return;
    }
    boolean pass = Boolean.TRUE.equals(task.get("pass"));
    Object floor = task.get("peer");
    String beside =
        floor == null ? "" : "; " + floor + " " + Quantity.of(task.get("peer_value"), "%");
    String verdict =
        """
        A task with a period of 50 us began %s of its %s releases a period or more late (%s%s), \
        half of all within %s of the due time. %s"""
            .formatted(
                Quantity.number(task.get("late")),
                Quantity.number(task.get("periods")),
                Quantity.of(task.value(), "%"),
                beside,
                Quantity.of(task.get("p50"), "ns"),
                pass ? "All that is wanted is met." : "Not met: " + task.get("not_met") + ".");
    report.verdict(pass, verdict);
  }

  /** Spikes from one period up: the axis is logarithmic, as in Reflexes. */
  private Plot lateOverTime(Outcome outcome) {
    List<LatenessRecorder.LateDue> late = outcome.late();
    double[] periods = new double[3 * late.size()];
    double[] lateUs = new double[periods.length];
    for (int i = 0; i < late.size(); i++) {
      for (int point = 0; point < 3; point++) {
        periods[3 * i + point] = late.get(i).period();
        lateUs[3 * i + point] = point == 1 ? late.get(i).latenessNs() / 1e3 : taskPeriodNs / 1e3;
      }
    }
    Plot plot = Plot.lines("Late due times (Fig. 9)", "period", "us late").logY();
    return late.isEmpty() ? plot : plot.series("takt", periods, lateUs);
  }

  /** Adds what it says in all, and how it was measured; at the end. */
  public void addNotes() {
    report.columns("pass", "late", "p50", "p99", "max", "peer");
    addVerdict();
    Result task = report.result("period-50us");
    if (task != null && task.get("fifo_priority").equals(0L)) {
      report.note(
          "No real-time scheduling was granted: run it as root, or raise the limits rtprio and"
              + " memlock (./takt doctor tells how). All were measured as ordinary threads.");
    }
  }
}
