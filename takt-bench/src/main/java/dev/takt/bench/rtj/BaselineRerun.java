package dev.takt.bench.rtj;

import dev.takt.cli.report.Quantity;
import dev.takt.cli.report.Result;

/**
 * What the floor of a row did when it was run again by itself, because it had met a criterion which
 * the row did not: a criterion on the worst of some hundred samples is met by chance where the
 * machine breaks it once in a while, and how often that is one run does not tell.
 *
 * @param runs how often it was run again
 * @param failed in how many of these runs it did not meet the criterion
 * @param worst the largest figure that was judged, in the unit of the row
 */
record BaselineRerun(int runs, int failed, double worst) {
  /** The member of a result with the number of runs in which it failed. */
  static final String FAILED = "floor_again_failed";

  /** Returns what one run did, from the row that it gives. */
  static BaselineRerun of(Result row) {
    boolean pass = Boolean.TRUE.equals(row.get("floor_pass"));
    return new BaselineRerun(1, pass ? 0 : 1, ((Number) row.get("floor_value")).doubleValue());
  }

  /** Returns this and more runs. */
  BaselineRerun plus(BaselineRerun more) {
    return new BaselineRerun(runs + more.runs, failed + more.failed, Math.max(worst, more.worst));
  }

  /** Adds it to the row. */
  void addTo(Result row) {
    row.with("floor_again_runs", runs)
        .with(FAILED, failed)
        .with("floor_again_worst", worst)
        .with(
            "why",
            "%s; run again by itself, the floor failed in %d of %d runs, with %s at the worst"
                .formatted(row.get("why"), failed, runs, Quantity.of(worst, row.unit())));
  }
}
