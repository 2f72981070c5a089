package dev.takt.bench.measure;

import java.util.List;
import java.util.Map;
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
  /** Those of a run, by contestant. */
  public record ByContestant(Map<String, Outcome> outcomes) {}

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
