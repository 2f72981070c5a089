package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;

/** The rows of what RTJPerf measures beyond the paper; there are no criteria for them. */
final class ExtraRows {
  private ExtraRows() {}

  static void timers(Samples samples, Report report) {
    for (String kind : new String[] {"one-shot", "absolute"}) {
      String what =
          kind.equals("one-shot")
              ? "how late a handler runs after a delay of 10 ms"
              : "how late a handler runs at a moment of the wall clock";
      median(samples, report, "timer-" + kind, what, kind + ".", "late", "late");
    }
  }

  static void creation(Samples samples, Report report) {
    for (String name : CreationCase.NAMES) {
      String what =
          name.equals("plain")
              ? "from before making a java.lang.Thread to inside it"
              : "from before making a real-time thread of this kind to inside it";
      median(samples, report, "creation-" + name, what, "", "running-" + name, "running");
    }
  }

  static void yield(Samples samples, Report report) {
    String what = "one yield to another thread of the same priority";
    median(samples, report, "yield", what, "", "yield", "yield");
  }

  static void loading(Samples samples, Report report) {
    String what = "loading and initializing ten types and ten interfaces";
    median(samples, report, "class-loading", what, "", "loading", "");
    median(samples, report, "clock-resolution", "the step of System.nanoTime", "", "step", "step");
  }

  private static void median(
      Samples samples,
      Report report,
      String name,
      String what,
      String prefix,
      String series,
      String floorSeries) {
    Stats stats = samples.stats(prefix + series);
    Row row = Row.ns(name, what).measured(stats, stats.p50());
    String floorName = "floor." + prefix + floorSeries;
    if (samples.has(floorName)) {
      Stats floor = samples.stats(floorName);
      row.floor(floor, floor.p50());
    }
    ThreadRows.stolen(row, samples, prefix).addTo(report);
  }
}
