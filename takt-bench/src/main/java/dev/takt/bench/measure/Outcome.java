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
 * @param misses the first misses, one by one
 */
public record Outcome(
    Measurement lateness,
    Histogram gapNs,
    Histogram gapErrorNs,
    Histogram intervalErrorNs,
    Histogram busyNs,
    List<LatenessRecorder.Miss> misses) {
  private static final String WORD = "takt-predict";
  private static final String MISS = "miss";

  static String line(String name, String what, Measurement figure) {
    return String.join(" ", WORD, name, what, figure.toLine());
  }

  static String missLine(String name, LatenessRecorder.Miss miss) {
    return String.join(" ", WORD, name, MISS, miss.period() + " " + miss.latenessNs());
  }

  /** Reads what a run has printed: the outcomes by contestant. */
  public static Map<String, Outcome> fromLines(List<String> lines) {
    Map<String, Map<String, Measurement>> figures = new LinkedHashMap<>();
    Map<String, List<LatenessRecorder.Miss>> misses = new TreeMap<>();
    for (String line : lines) {
      if (!line.startsWith(WORD + " ")) {
        continue;
      }
      String[] parts = line.split(" ", 4);
      if (parts[2].equals(MISS)) {
        String[] numbers = parts[3].split(" ");
        misses
            .computeIfAbsent(parts[1], name -> new ArrayList<>())
            .add(new LatenessRecorder.Miss(Long.parseLong(numbers[0]), Long.parseLong(numbers[1])));
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
                    misses.getOrDefault(name, List.of()))));
    return outcomes;
  }

  /** Returns what was counted under a name. */
  public double count(String name) {
    return lateness.count(name);
  }

  /** Returns which part of the due times were missed, in percent. */
  public double missPercent() {
    return 100 * count("misses") / Math.max(1, count("periods"));
  }

  /** Returns which part of the releases began a period or more late, in percent. */
  public double lateReleasePercent() {
    return 100 * count("late_releases") / Math.max(1, count("releases"));
  }

  /** Returns how late the missed ones were. */
  public Histogram missesNs(long periodNs) {
    Histogram missed = Measurement.histogram();
    lateness
        .batchNs()
        .recordedValues()
        .forEach(
            each -> {
              if (each.getValueIteratedTo() >= periodNs) {
                missed.recordValueWithCount(
                    each.getValueIteratedTo(), each.getCountAtValueIteratedTo());
              }
            });
    return missed;
  }

  /** Returns which part of the time the thread spun, in percent. */
  public double spinPercent() {
    return 100 * count("spun_ns") / Math.max(1, count("ran_ns"));
  }
}
