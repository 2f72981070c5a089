package dev.takt.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was found about the punctuality of one workload.
 *
 * @param lateness how late each due time was served, with what was counted
 * @param gapNs the time from the beginning of a release to the next one's; empty if not known
 * @param gapErrorNs by how much it differed from the period; one of several periods counts for each
 *     release that should have begun in it
 * @param intervalErrorNs the same, but each gap counts once
 * @param busyNs how long a release took
 * @param late the first late due times, one by one
 */
public record Outcome(
    Measurement lateness,
    Histogram gapNs,
    Histogram gapErrorNs,
    Histogram intervalErrorNs,
    Histogram busyNs,
    List<LatenessRecorder.LateDue> late) {
  private static final String WORD = "takt-predict";
  private static final String LATE = "late-due";

  static String line(String name, String what, Measurement figure) {
    return String.join(" ", WORD, name, what, figure.toLine());
  }

  static String lateLine(String name, LatenessRecorder.LateDue late) {
    return String.join(" ", WORD, name, LATE, late.period() + " " + late.latenessNs());
  }

  /** Reads what a run has printed: the outcomes by contestant. */
  public static Map<String, Outcome> fromLines(List<String> lines) {
    Map<String, Map<String, Measurement>> figures = new LinkedHashMap<>();
    Map<String, List<LatenessRecorder.LateDue>> late = new TreeMap<>();
    for (String line : lines) {
      if (!line.startsWith(WORD + " ")) {
        continue;
      }
      String[] parts = line.split(" ", 4);
      if (parts[2].equals(LATE)) {
        String[] numbers = parts[3].split(" ");
        late.computeIfAbsent(parts[1], name -> new ArrayList<>())
            .add(
                new LatenessRecorder.LateDue(
                    Long.parseLong(numbers[0]), Long.parseLong(numbers[1])));
      } else {
        figures
            .computeIfAbsent(parts[1], name -> new TreeMap<>())
            .put(parts[2], Measurement.fromLine(parts[3]));
      }
    }
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    figures.forEach(
        (name, each) ->
            outcomes.put(
                name,
                new Outcome(
                    each.get("lateness"),
                    each.get("gap").batchNs(),
                    each.get("gap_error").batchNs(),
                    each.get("interval_error").batchNs(),
                    each.get("busy").batchNs(),
                    late.getOrDefault(name, List.of()))));
    return outcomes;
  }

  /** Returns what was counted under a name. */
  public double count(String name) {
    return lateness.count(name);
  }

  /** Returns which part of the due times were late, in percent. */
  public double latePercent() {
    return 100 * count("late") / Math.max(1, count("periods"));
  }

  /** Returns which part of the releases began a period or more late, in percent. */
  public double lateReleasePercent() {
    return 100 * count("late_releases") / Math.max(1, count("releases"));
  }

  /** Returns how late the late ones were. */
  public Histogram lateNs(long periodNs) {
    Histogram lateNs = Measurement.histogram();
    lateness
        .batchNs()
        .recordedValues()
        .forEach(
            each -> {
              if (each.getValueIteratedTo() >= periodNs) {
                lateNs.recordValueWithCount(
                    each.getValueIteratedTo(), each.getCountAtValueIteratedTo());
              }
            });
    return lateNs;
  }

  /** Returns which part of the time the thread spun, in percent. */
  public double spinPercent() {
    return 100 * count("spun_ns") / Math.max(1, count("ran_ns"));
  }
}
