package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;

/**
 * One row of the report: what was measured, the criterion, the paper's figure, this machine's, and
 * the floor's.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class Row {
  private final String name;
  private final String what;
  private final String unit;
  private Criterion criterion;
  private Double paper;
  private Stats stats;
  private double value;
  private Stats floor;
  private double floorValue;
  private String floorName = "C";
  private long stealTicks;
  private long floorStealTicks;

  private Row(String name, String what, String unit) {
    this.name = name;
    this.what = what;
    this.unit = unit;
  }

  /** Begins a row whose figures have this unit. */
  static Row of(String name, String what, String unit) {
    return new Row(name, what, unit);
  }

  /** Begins a row whose figures are nanoseconds. */
  static Row ns(String name, String what) {
    return new Row(name, what, "ns");
  }

  /** Begins a row whose figures are percent. */
  static Row percent(String name, String what) {
    return new Row(name, what, "%");
  }

  Row criterion(Criterion criterion) {
    this.criterion = criterion;
    return this;
  }

  /** The paper's figure, in the unit of this row; NaN: it has none. */
  Row paper(double figure) {
    this.paper = Double.isNaN(figure) ? null : figure;
    return this;
  }

  /** What this machine gave. */
  Row measured(Stats stats, double judged) {
    this.stats = stats;
    this.value = judged;
    return this;
  }

  /** What the floor gave, in the same run. */
  Row floor(Stats floor, double judged) {
    this.floor = floor;
    this.floorValue = judged;
    return this;
  }

  /** What the floor is, if it is not the same thing in C. */
  Row floorName(String name) {
    this.floorName = name;
    return this;
  }

  /** How many ticks of 10 ms the hypervisor took from the machine meanwhile. */
  Row stolen(long ticks, long floorTicks) {
    this.stealTicks = ticks;
    this.floorStealTicks = floorTicks;
    return this;
  }

  /** Puts it into the report. */
  Result addTo(Report report) {
    Result result = report.add(name, unit, Result.rounded(value)).with("what", what);
    if (criterion != null) {
      boolean pass = stats.count() > 0 && criterion.holds(value);
      result
          .with("criterion", criterion.toString())
          .with("limit", criterion.limit())
          .with("pass", pass);
    }
    if (paper != null) {
      result.withPaper(paper);
    }
    result
        .with("samples", stats.count())
        .with("min", Result.rounded(stats.min()))
        .with("avg", Result.rounded(stats.avg()))
        .with("p50", Result.rounded(stats.p50()))
        .with("p99", Result.rounded(stats.p99()))
        .with("max", Result.rounded(stats.max()))
        .with("steal_ticks", stealTicks);
    if (floor != null) {
      addFloor(result);
    }
    if (Boolean.FALSE.equals(result.get("pass"))) {
      result.with("why", why());
    }
    return result;
  }

  private void addFloor(Result result) {
    if (value > 0 && floorValue > 0) {
      result.withPeer(floorName, Result.rounded(floorValue));
    }
    result.with("floor", floorName).with("floor_value", Result.rounded(floorValue));
    if (criterion != null) {
      result.with("floor_pass", criterion.holds(floorValue));
    }
    result
        .with("floor_min", Result.rounded(floor.min()))
        .with("floor_avg", Result.rounded(floor.avg()))
        .with("floor_p50", Result.rounded(floor.p50()))
        .with("floor_p99", Result.rounded(floor.p99()))
        .with("floor_max", Result.rounded(floor.max()))
        .with("floor_steal_ticks", floorStealTicks);
  }

  private String why() {
    if (stats.count() == 0) {
      return "there is no sample: the priorities were not granted";
    }
    String stolen =
        stealTicks == 0 ? "" : ", " + stealTicks + " ticks of 10 ms stolen from the machine";
    if (floor == null) {
      return "not met, and no floor was measured beside it" + stolen;
    }
    return (criterion.holds(floorValue)
            ? "not met; the floor (" + floorName + ") meets it"
            : "not met; the floor (" + floorName + ") does not meet it either")
        + stolen;
  }
}
