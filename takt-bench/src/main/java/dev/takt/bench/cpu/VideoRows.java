package dev.takt.bench.cpu;

import dev.takt.bench.measure.Measurement;
import dev.takt.cli.report.Plot;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * The rows and figures of the video.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class VideoRows {
  static final long TEN_MS = 10_000_000;
  static final long ONE_MS = 1_000_000;

  /** Frames 10 ms late or more, of Java with a real-time priority. Source: CPU control 3.1. */
  static final double PAPER_RT_PERCENT = 32;

  /** The same of QoS Animator. */
  static final double PAPER_MANAGER_PERCENT = 0.5;

  private static final String FLOOR = "floor";

  /** What the paper's figures show. */
  private static final Map<String, String> FIGURES =
      Map.of(
          "standard",
          "standard Java (Fig. 3)",
          "rt",
          "Java with real-time priority (Fig. 4; paper: 32 % 10 ms late or more)",
          "portable",
          "CPU manager, portable (Fig. 5; paper: 0.5 % 10 ms late or more)",
          "fifo",
          "CPU manager, fixed priorities (Fig. 5)",
          "deadline",
          "CPU manager, reservations (Fig. 5)",
          FLOOR,
          "the floor in C");

  private record Block(PlaybackRun.Played played, double grabbedPercent) {}

  private final Map<String, List<Block>> blocks = new LinkedHashMap<>();

  /** Takes what one block has found. */
  void take(String contestant, PlaybackRun.Played played, double grabbedPercent) {
    blocks
        .computeIfAbsent(contestant, _ -> new ArrayList<>())
        .add(new Block(played, grabbedPercent));
  }

  /** Adds a row and a figure for each contestant. */
  void addTo(Report report) {
    blocks.forEach((name, all) -> add(report, name, all));
    blocks.keySet().forEach(name -> judge(report, name));
    Plot delays =
        Plot.histogram("From when a frame was due until its picture was there", "ns")
            .mark("10 ms", TEN_MS);
    blocks.forEach((name, all) -> delays.histogram(name, delays(all)));
    report.add(delays);
    blocks.forEach(
        (name, all) ->
            report.add(
                CpuReport.over(
                    "Inter-arrival time of frames, " + FIGURES.getOrDefault(name, name),
                    "frame",
                    name,
                    gaps(all))));
  }

  private void add(Report report, String name, List<Block> all) {
    Histogram delaysNs = delays(all);
    long frames = delaysNs.getTotalCount();
    double late = percent(count(all, TEN_MS), frames);
    PlaybackRun.Played last = all.getLast().played();
    Histogram gapsNs = histogram(gaps(all));
    Histogram beginNs = histogram(each(all, ReleaseTimes::latenessNs));
    Result result =
        report
            .add("video-" + name, "%", late)
            .withTimes(delaysNs)
            .with("late_10ms_percent", late)
            .with("late_1ms_percent", percent(count(all, ONE_MS), frames))
            .with("late", count(all, TEN_MS))
            .with("periods", frames)
            .with("gap_p50", gapsNs.getValueAtPercentile(50))
            .with("gap_p99", gapsNs.getValueAtPercentile(99))
            .with("gap_max", gapsNs.getMaxValue())
            .with("begin_p50", beginNs.getValueAtPercentile(50))
            .with("begin_p99", beginNs.getValueAtPercentile(99))
            .with("begin_max", beginNs.getMaxValue())
            .with("busy_p50", histogram(each(all, ReleaseTimes::busyNs)).getValueAtPercentile(50))
            .with("granted", last.granted())
            .with("user", last.user())
            .with("grabbed_percent", grabbed(all));
    if (!last.state().isEmpty()) {
      result.with("state", last.state());
    }
    if (name.equals("rt")) {
      result.withPaper(PAPER_RT_PERCENT);
    } else if (isManaged(name)) {
      result.withPaper(PAPER_MANAGER_PERCENT);
    }
  }

  private static boolean isManaged(String name) {
    return List.of("portable", "fifo", "deadline").contains(name);
  }

  /** Says what a managed one does not meet: the limit of its late frames. */
  private static void judge(Report report, String name) {
    if (!isManaged(name)) {
      return;
    }
    Result result = report.result("video-" + name);
    Result floor = report.result("video-" + FLOOR);
    double late = number(result, "late_10ms_percent");
    double late1 = number(result, "late_1ms_percent");
    double floorLate1 = floor == null ? 0 : number(floor, "late_1ms_percent");
    String unmet = "";
    if (name.equals("portable")) {
      unmet = late > PAPER_MANAGER_PERCENT ? "at most 0.5 % 10 ms late or more" : "";
    } else if (late1 > floorLate1) {
      unmet = "no more frames 1 ms late or more than the floor, " + floorLate1 + " %";
    }
    if (floor != null) {
      result.with("peer", "video-" + FLOOR).with("peer_value", number(floor, "value"));
      result.with("floor_late_1ms_percent", floorLate1);
    }
    CpuReport.judge(result, Contestant.valueOf(name.toUpperCase(Locale.ROOT)), unmet);
  }

  private static double number(Result result, String member) {
    Object value = member.equals("value") ? result.value() : result.get(member);
    return ((Number) value).doubleValue();
  }

  private static double percent(long part, long all) {
    return Result.rounded(100.0 * part / Math.max(1, all));
  }

  private static double grabbed(List<Block> all) {
    return Result.rounded(all.stream().mapToDouble(Block::grabbedPercent).average().orElse(0));
  }

  private static long count(List<Block> all, long limitNs) {
    return all.stream().mapToLong(each -> each.played().times().later(limitNs)).sum();
  }

  private static Histogram delays(List<Block> all) {
    return histogram(each(all, ReleaseTimes::delaysNs));
  }

  /** From the arrival of a frame to that of the next. */
  private static long[] gaps(List<Block> all) {
    return each(all, ReleaseTimes::endGapsNs);
  }

  private static long[] each(List<Block> all, Function<ReleaseTimes, long[]> values) {
    return all.stream()
        .flatMapToLong(block -> LongStream.of(values.apply(block.played().times())))
        .toArray();
  }

  static Histogram histogram(long[] valuesNs) {
    Histogram histogram = Measurement.histogram();
    for (long each : valuesNs) {
      histogram.recordValue(Math.clamp(each, 0, histogram.getHighestTrackableValue()));
    }
    return histogram;
  }
}
