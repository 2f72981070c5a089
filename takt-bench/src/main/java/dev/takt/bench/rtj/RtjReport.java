package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the rows, tables and figures of what the cases found.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class RtjReport {
  /** So many samples that the machine can be expected to break are reason enough. */
  private static final double ENOUGH_EXPECTED = 0.1;

  /** Some rows, tables and figures, and the case whose samples they are made of. */
  private record Section(String caseName, Consumer<Rows> adder) {}

  /** All of them, in the order of the paper. */
  private static final List<Section> SECTIONS =
      List.of(
          new Section("3.1.1", ThreadRows::throughput),
          new Section("3.2.2", ThreadRows::contention),
          new Section("3.2.1", ThreadRows::startOfFrame),
          new Section("3.2.2", ThreadRows::endOfFrame),
          new Section("3.2.3", ThreadRows::periodicEvent),
          new Section("3.3.1", LatencyRows::contextSwitch),
          new Section("3.3.2", LockRows::inheritance),
          new Section("3.3.3", LockRows::synchronization),
          new Section("3.3.4", LatencyRows::events),
          new Section("3.4", MemoryRows::add),
          new Section("creation", ExtraRows::creation),
          new Section("timer", ExtraRows::timers),
          new Section("yield", ExtraRows::yield),
          new Section("loading", ExtraRows::loading));

  private final Report report;
  private final Map<String, Samples> cases = new HashMap<>();

  /** Of rows that were not met while the floor met them: what it did when it was run again. */
  private final Map<String, BaselineRerun> floorsAgain = new HashMap<>();

  private final Set<String> shortfalls = new LinkedHashSet<>();
  private final Set<String> schedulings = new LinkedHashSet<>();
  private final Set<String> floorSchedulings = new LinkedHashSet<>();

  /** Makes one that adds to a report. */
  public RtjReport(Report report) {
    this.report = report;
  }

  /** Takes what a case found. */
  public void add(String name, Samples samples) {
    cases.put(name, samples);
    for (Map.Entry<String, String> each : samples.facts().entrySet()) {
      if (each.getKey().startsWith("shortfall.")) {
        shortfalls.add(each.getValue());
      } else if (each.getKey().equals("scheduling")) {
        if (!each.getValue().isBlank()) {
          schedulings.add(name + " " + each.getValue());
        }
      } else if (each.getKey().endsWith(".scheduling")) {
        floorSchedulings.add(each.getValue());
      }
    }
  }

  /**
   * Returns the rows of a case that are not met, though the floor meets them, and met them whenever
   * it was run again; none if the case was not measured.
   */
  public Set<String> metByFloorOnly(String name) {
    Set<String> met = new LinkedHashSet<>();
    if (cases.containsKey(name)) {
      for (Result each : rows(name, cases.get(name))) {
        boolean failedAgain =
            floorsAgain.containsKey(each.name()) && floorsAgain.get(each.name()).failed() > 0;
        if (isMetByFloorOnly(each) && !failedAgain) {
          met.add(each.name());
        }
      }
    }
    return met;
  }

  private static boolean isMetByFloorOnly(Result row) {
    return Boolean.FALSE.equals(row.get("pass")) && Boolean.TRUE.equals(row.get("floor_pass"));
  }

  /** Takes what the floor of a case did when it was run again, for the rows that only it met. */
  public void addFloor(String name, Samples floor) {
    Samples samples = cases.get(name);
    Set<String> asked = new HashSet<>();
    rows(name, samples).stream()
        .filter(RtjReport::isMetByFloorOnly)
        .forEach(each -> asked.add(each.name()));
    for (Result each : rows(name, samples.withFloor(floor))) {
      if (asked.contains(each.name())) {
        floorsAgain.merge(each.name(), BaselineRerun.of(each), BaselineRerun::plus);
      }
    }
  }

  private List<Result> rows(String name, Samples samples) {
    Report rows = new Report(name, name, report.machine());
    SECTIONS.stream()
        .filter(each -> each.caseName.equals(name))
        .forEach(each -> each.adder.accept(new Rows(samples, rows)));
    return rows.results();
  }

  /** Adds all rows, tables and figures in the order of the paper, and how they were measured. */
  public void finish() {
    for (Section each : SECTIONS) {
      if (cases.containsKey(each.caseName)) {
        each.adder.accept(new Rows(cases.get(each.caseName), report));
      }
    }
    for (Result each : report.results()) {
      if (floorsAgain.containsKey(each.name())) {
        floorsAgain.get(each.name()).addTo(each);
      }
    }
    addNotes();
  }

  /** Why a criterion is not met, as far as it was measured. */
  private enum Cause {
    FLOOR_TOO(" missed by the same test in C, too"),
    FLOOR_AGAIN(" missed by that test when it was run again"),
    MACHINE(" by the machine, which holds up even a thread that only sleeps for as long"),
    NEITHER(" by Takt, or by a chance of less than one in ten each");

    private final String words;

    Cause(String words) {
      this.words = words;
    }

    static Cause of(Result failed) {
      if (Boolean.FALSE.equals(failed.get("floor_pass"))) {
        return FLOOR_TOO;
      }
      if (failed.get(BaselineRerun.FAILED) instanceof Integer times && times > 0) {
        return FLOOR_AGAIN;
      }
      return failed.get(Row.HOLD_UPS_EXPECTED) instanceof Number expected
              && expected.doubleValue() >= ENOUGH_EXPECTED
          ? MACHINE
          : NEITHER;
    }
  }

  private Stream<Result> judged(boolean pass) {
    return report.results().stream().filter(each -> Boolean.valueOf(pass).equals(each.get("pass")));
  }

  /** Why criteria are not met. */
  private String causes() {
    Map<Cause, Long> causes =
        judged(false)
            .collect(Collectors.groupingBy(Cause::of, TreeMap::new, Collectors.counting()));
    return causes.entrySet().stream()
        .map(each -> each.getValue() + each.getKey().words)
        .collect(Collectors.joining("; "));
  }

  private void addNotes() {
    long met = judged(true).count();
    long missed = judged(false).count();
    report.columns("pass", "criterion", "floor_value", "paper_value", "what");
    report.verdict(
        missed == 0,
        "%s of %s criteria are met.%s"
            .formatted(
                met,
                met + missed,
                missed == 0 ? "" : " Of the other " + missed + ": " + causes() + "."));
    if (!floorsAgain.isEmpty()) {
      report.note(
          "Where only the floor met a criterion, it (and not Takt) was run again until it failed,"
              + " but only so often; the row says in how many of how many runs it did.");
    }
    report.note("Granted: " + String.join(" | ", schedulings) + ".");
    if (!floorSchedulings.isEmpty()) {
      report.note("Granted to the floor: " + String.join("; ", floorSchedulings) + ".");
    }
    if (shortfalls.isEmpty()) {
      report.note("Everything that was asked of the operating system was granted.");
    }
    shortfalls.forEach(each -> report.note("Not granted: " + each));
  }
}
