package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
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

  private final Report report;
  private final Map<String, Samples> cases = new HashMap<>();
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
        schedulings.add(name + " " + each.getValue());
      } else if (each.getKey().endsWith(".scheduling")) {
        floorSchedulings.add(each.getValue());
      }
    }
  }

  /** Adds all rows, tables and figures in the order of the paper, and how they were measured. */
  public void finish() {
    rows("3.1.1", ThreadRows::throughput);
    rows("3.2.2", ThreadRows::contention);
    rows("3.2.1", ThreadRows::startOfFrame);
    rows("3.2.2", ThreadRows::endOfFrame);
    rows("3.2.3", ThreadRows::periodicEvent);
    rows("3.3.1", LatencyRows::contextSwitch);
    rows("3.3.2", LockRows::inheritance);
    rows("3.3.3", LockRows::synchronization);
    rows("3.3.4", LatencyRows::events);
    rows("3.4", MemoryRows::add);
    rows("creation", ExtraRows::creation);
    rows("timer", ExtraRows::timers);
    rows("yield", ExtraRows::yield);
    rows("loading", ExtraRows::loading);
    addNotes();
  }

  /** Why a criterion is not met, as far as it was measured. */
  private enum Cause {
    FLOOR_TOO,
    MACHINE,
    NEITHER;

    static Cause of(Result failed) {
      if (Boolean.FALSE.equals(failed.get("floor_pass"))) {
        return FLOOR_TOO;
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

  private void rows(String name, BiConsumer<Samples, Report> adder) {
    Samples samples = cases.get(name);
    if (samples != null) {
      adder.accept(samples, report);
    }
  }

  private void addNotes() {
    long met = judged(true).count();
    Map<Cause, Long> causes =
        judged(false).collect(Collectors.groupingBy(Cause::of, Collectors.counting()));
    report.note(
        met
            + " of "
            + (met + judged(false).count())
            + " criteria are met. Of the others, "
            + causes.getOrDefault(Cause.FLOOR_TOO, 0L)
            + " are not met by the floor either; "
            + causes.getOrDefault(Cause.MACHINE, 0L)
            + " more by the machine itself, which can be expected to hold up one of ten such tests"
            + " too long, or more; "
            + causes.getOrDefault(Cause.NEITHER, 0L)
            + " by neither: those are Takt's, or a chance of less than one in ten each.");
    report.note(
        "Each row: value is what the criterion is about (which statistic, it says itself), beside the"
            + " statistics of all samples. Jitter and latency are judged by the worst case, as in the paper;"
            + " no sample is left out. Rows in % compare statistics, so theirs are the differences of each.");
    report.note(
        "Floor, and peer: the same test in C, by the same definition and criterion, with the same"
            + " priorities, processor and contending threads, its memory locked, in turns with the Java one."
            + " Hold-ups: how long, and how often, the machine kept a thread in C that did nothing but"
            + " sleep and look at the clock, in turns with the test; expected: of how many samples of the"
            + " test it follows that they break its criterion."
            + " Steal ticks: 10 ms each, taken from this machine by the hypervisor meanwhile.");
    report.note(
        "All measured and contending threads of a test run on one processor, as on the paper's"
            + " machine. Paper: 1.2 GHz, a real-time JVM without compiler, a real-time kernel.");
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
