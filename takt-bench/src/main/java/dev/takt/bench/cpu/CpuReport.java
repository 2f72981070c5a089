package dev.takt.bench.cpu;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.tasks.FloodRun;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Makes the results, figures and notes of what the runs found.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class CpuReport {
  private static final double MAX_ANALYSIS_MS = 10;
  private static final double MAX_ADMISSION_MS = 1;
  private static final double MAX_SUPERVISION_NS = 100;
  private static final double MAX_MANAGER_PERCENT = 1;
  private static final long MAX_DROP_NS = 50_000_000;

  private final Report report;
  private final VideoRows video = new VideoRows();
  private final MultitaskRows multi = new MultitaskRows();

  /** Makes one that adds to a report. */
  public CpuReport(Report report) {
    this.report = report;
  }

  /** Takes what a block of the video has found. */
  public void addVideo(String contestant, PlaybackRun.Played played, double grabbedPercent) {
    video.take(contestant, played, grabbedPercent);
  }

  /** Adds the rows of the video, of all blocks. */
  public void addVideo() {
    video.addTo(report);
  }

  /** Takes what a block of the five tasks has found. */
  public void addMulti(
      String name, Contestant contestant, MultitaskRun.Multitasked found, double grabbedPercent) {
    multi.take(name, contestant, found, grabbedPercent);
  }

  /** Adds the rows of the five tasks, of all blocks. */
  public void addMulti() {
    multi.addTo(report);
  }

  /** Adds how long it takes to analyse and to admit. */
  public void addAnalysis(AnalysisRun.Analysed analysed) {
    judge(
        time("analysis-1000", analysed.analysisNs()).with("cold_ns", analysed.firstAnalysisNs()),
        MAX_ANALYSIS_MS);
    judge(
        time("admission-100", analysed.admissionNs())
            .with("cold_ns", analysed.firstAdmissionNs())
            .with("refusal_p50", analysed.refusalNs().getValueAtPercentile(50)),
        MAX_ADMISSION_MS);
  }

  /** The value is the median, in milliseconds. */
  private Result time(String name, Histogram ns) {
    return report.add(name, "ms", Result.rounded(ns.getValueAtPercentile(50) / 1e6)).withTimes(ns);
  }

  /** Adds what the manager adds to a release. */
  public void addSupervision(String name, SupervisionCostRun.Cost cost) {
    judge(
        report
            .add(name, "ns", Result.rounded(cost.differenceNs()))
            .with("difference_p5_ns", Result.rounded(cost.leastNs()))
            .with("difference_p95_ns", Result.rounded(cost.mostNs()))
            .with("without_ns", Result.rounded(cost.withoutNs()))
            .with("with_ns", Result.rounded(cost.withNs())),
        MAX_SUPERVISION_NS);
  }

  /**
   * Adds what the manager's threads take.
   *
   * @param wakeNs what a thread in C takes for each time that it wakes up and does nothing; NaN: it
   *     was not measured
   */
  public void addManager(String name, ManagerLoadRun.Load load, double wakeNs) {
    Result result = report.add(name, "%", Result.rounded(load.percent()));
    // As often as the manager looks; a very short run sees no look.
    if (wakeNs > 0 && load.looksPerS() > 0) {
      result.withPeer("manager-floor", Result.rounded(100 * wakeNs * load.looksPerS() / 1e9));
    }
    judge(
        result
            .with("tasks", load.tasks())
            .with("looks_per_s", Result.rounded(load.looksPerS()))
            .with(
                "threads",
                load.percents().entrySet().stream()
                    .map(each -> each.getKey() + " " + Quantity.of(each.getValue(), "%"))
                    .collect(Collectors.joining(", "))),
        MAX_MANAGER_PERCENT);
  }

  /** Adds how soon runaways were dropped; the value is the median, in milliseconds. */
  public void addRunaway(String name, RunawayRun.Dropped found) {
    Histogram all = found.ns().getOrDefault("all", Measurement.histogram());
    double withinMs = Result.rounded(all.getValueAtPercentile(50) / 1e6);
    StringJoiner unmet = new StringJoiner(", ");
    if (all.getMaxValue() > MAX_DROP_NS) {
      unmet.add("all dropped within 50 ms");
    }
    if (found.dropped() < found.runaways()) {
      unmet.add("all dropped");
    }
    if (!found.undone()) {
      unmet.add("nothing left of what they wrote");
    }
    long controlMissed = Math.max(found.control().missedByLoad(), found.busy().missedByLoad());
    if (found.others().missedByLoad() > controlMissed) {
      unmet.add("no more deadlines missed than beside ordinary threads that are busy");
    }
    Result result =
        report
            .add(name, "ms", withinMs)
            .withTimes(all)
            .with("dropped_within_ms", withinMs)
            .with("others_missed", found.others().missed())
            .with("others_stalled", found.others().stalled())
            .with("missed_beside", String.valueOf(found.missedBeside()))
            .with("others_releases", found.others().releases())
            .with("busy_missed", found.busy().missed())
            .with("busy_stalled", found.busy().stalled())
            .with("busy_releases", found.busy().releases())
            .with("control_missed", found.control().missed())
            .with("control_stalled", found.control().stalled())
            .with("control_releases", found.control().releases())
            .with("runs", found.runs())
            .with("runaways", found.runaways())
            .with("dropped", found.dropped())
            .with("undone", found.undone())
            .with("granted", found.scheduler());
    found.ns().forEach((way, ns) -> result.with(way + "_max", ns.getMaxValue()));
    result.with("pass", unmet.length() == 0).with("not_met", unmet.toString());
  }

  /** Adds what a flood does to a periodic task; the value is how many deadlines it missed in it. */
  public void addFlood(String name, FloodRun.Figures found) {
    boolean pass = found.floodMisses() <= found.quietMisses();
    report
        .add(name, "1", found.floodMisses())
        .withTimes(found.floodLateNs())
        .with("releases", found.floodLateNs().getTotalCount())
        .with("quiet_misses", found.quietMisses())
        .with("quiet_p99", found.quietLateNs().getValueAtPercentile(99))
        .with("quiet_p999", found.quietLateNs().getValueAtPercentile(99.9))
        .with("quiet_max", found.quietLateNs().getMaxValue())
        .with("events_per_second", Math.round(found.eventsPerSecond()))
        .with("served", found.served())
        .with("refused", found.refused())
        .with("granted", found.granted())
        .with("pass", pass)
        .with("not_met", pass ? "" : "no more misses than without the flood");
  }

  /**
   * Says whether a managed contestant has what is wanted of it; nothing where it was not granted
   * what makes it that contestant.
   *
   * @param unmet what is wanted and was not found; empty: nothing
   */
  static void judge(Result result, Contestant contestant, String unmet) {
    boolean granted = String.valueOf(result.get("granted")).startsWith(contestant.name());
    if (granted || contestant.isUnprivileged()) {
      result.with("pass", unmet.isEmpty()).with("not_met", unmet);
    }
  }

  /** Adds how often {@code takt top} has looked at the task of a row meanwhile. */
  public void addLooks(String name, long looks) {
    Result row = report.result(name);
    if (row != null) {
      row.with("top_looks", looks);
    }
  }

  private static void judge(Result result, double limit) {
    boolean pass = ((Number) result.value()).doubleValue() < limit;
    result
        .with("limit", limit)
        .with("pass", pass)
        .with("not_met", pass ? "" : "under " + Quantity.of(limit, result.unit()));
  }

  /** Adds what it says in all; at the end. */
  public void addNotes() {
    report.columns("pass", "paper_value", "late_1ms_percent", "mean", "p99", "max");
    if (report.results().stream().anyMatch(CpuReport::isRefused)) {
      report.note(
          "Some were not granted what they are named after (granted): run it as root, or raise the"
              + " limits rtprio and memlock (./takt doctor tells how). They have no target here.");
    }
    List<Result> judged =
        report.results().stream().filter(each -> each.get("pass") != null).toList();
    if (judged.isEmpty()) {
      return;
    }
    StringJoiner unmet = new StringJoiner("; ");
    judged.stream()
        .filter(each -> each.get("pass").equals(false))
        .forEach(
            each ->
                unmet.add(
                    "%s (%s): %s"
                        .formatted(
                            each.name(),
                            Quantity.of(each.value(), each.unit()),
                            each.get("not_met"))));
    boolean pass = unmet.length() == 0;
    report.verdict(
        pass,
        "%s rows have a target. %s"
            .formatted(
                judged.size(),
                pass ? "All are met." : "Not met, and what is wanted: " + unmet + "."));
  }

  private static boolean isRefused(Result result) {
    return List.of("rt", "fifo", "deadline").contains(result.name().replaceFirst("^[a-z]+-", ""))
        && String.valueOf(result.get("granted")).startsWith("OTHER");
  }

  /** Returns a plot of times over their numbers, in milliseconds. */
  static Plot over(String title, String number, String name, long[] timesNs) {
    double[] numbers = new double[timesNs.length];
    double[] ms = new double[timesNs.length];
    for (int i = 0; i < timesNs.length; i++) {
      numbers[i] = i + 1;
      ms[i] = Result.rounded(timesNs[i] / 1e6);
    }
    Plot plot = Plot.lines(title, number, "ms");
    return timesNs.length == 0 ? plot : plot.series(name, numbers, ms);
  }
}
