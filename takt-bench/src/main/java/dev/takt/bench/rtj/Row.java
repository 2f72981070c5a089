package dev.takt.bench.rtj;

import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.util.Locale;

/**
 * One row of the report: what was measured, the criterion, the paper's figure, this machine's, and
 * the floor's.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class Row {
  /** The member with the number of samples that the machine alone is expected to break. */
  static final String HOLD_UPS_EXPECTED = "hold_ups_expected";

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
  private OsNoise holdUps;
  private double enoughNs;
  private double expected;

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

  /**
   * What the machine does by itself.
   *
   * @param machine what it was seen to do; null: not observed
   * @param enoughNs how long a hold-up must be to break the criterion, in nanoseconds
   * @param sleeps how many sleeps until a moment are in the samples
   * @param runningNs how long the samples run in all, in nanoseconds
   */
  Row heldUp(OsNoise machine, double enoughNs, double sleeps, double runningNs) {
    if (machine != null && enoughNs > 0) {
      this.holdUps = machine;
      this.enoughNs = enoughNs;
      this.expected = machine.expected(enoughNs, sleeps, runningNs);
    }
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
    stats.addTo(result.with("samples", stats.count()), "").with("steal_ticks", stealTicks);
    if (floor != null) {
      addFloor(result);
    }
    if (criterion != null && holdUps != null) {
      result
          .with("hold_up_enough_ns", Result.rounded(enoughNs))
          .with("hold_up_longest_ns", holdUps.longestNs())
          .with(HOLD_UPS_EXPECTED, Result.rounded(expected));
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
    floor.addTo(result, "floor_").with("floor_steal_ticks", floorStealTicks);
  }

  private String why() {
    if (stats.count() == 0) {
      return "there is no sample: the priorities were not granted";
    }
    String stolen =
        stealTicks == 0 ? "" : ", " + stealTicks + " ticks of 10 ms stolen from the machine";
    if (floor == null) {
      return "not met, and no floor was measured beside it" + stolen + machine();
    }
    String floors = criterion.holds(floorValue) ? ") meets it" : ") does not meet it either";
    return "not met; the floor (" + floorName + floors + stolen + machine();
  }

  private String machine() {
    return holdUps == null
        ? ""
        : String.format(
            Locale.ROOT,
            "; a C thread that only slept and looked at the clock was held up for %.3g ms at the"
                + " longest, and so often for the %.3g ms that break this that it is to be expected"
                + " of %.2g of these samples",
            holdUps.longestNs() / 1e6,
            enoughNs / 1e6,
            expected);
  }
}
