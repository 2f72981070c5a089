package dev.takt.bench.rtj;

/** The rows of what RTJPerf measures beyond the paper; there are no criteria for them. */
final class ExtraRows {
  private ExtraRows() {}

  static void timers(Rows rows) {
    String once = "how late a handler runs after a delay of 10 ms";
    rows.tell("timer-one-shot", once, "one-shot.late", Stats::p50, Double.NaN);
    String absolute = "how late a handler runs at a moment of the wall clock";
    rows.tell("timer-absolute", absolute, "absolute.late", Stats::p50, Double.NaN);
  }

  static void creation(Rows rows) {
    for (String name : CreationCase.NAMES) {
      String kind = name.equals("plain") ? "java.lang.Thread" : "real-time thread of this kind";
      String what = "from before making a " + kind + " to inside it";
      Row row = rows.row("creation-" + name, what, "running-" + name, Stats::p50);
      rows.floor(row, "running", Stats::p50).addTo(rows.report());
    }
  }

  static void yield(Rows rows) {
    String what = "one yield to another thread of the same priority";
    rows.tell("yield", what, "yield", Stats::p50, Double.NaN);
  }

  static void loading(Rows rows) {
    String what = "loading and initializing ten types and ten interfaces";
    rows.tell("class-loading", what, "loading", Stats::p50, Double.NaN);
    String step = "the step of System.nanoTime";
    rows.tell("clock-resolution", step, "step", Stats::p50, Double.NaN);
  }
}
