package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import org.junit.jupiter.api.Test;

class RtjReportTest {
  private static final long QUICK_NS = 5_000;
  private static final long SLOW_NS = 90_000; // the criterion is 10 us

  private final Samples samples = new Samples();
  private final Report report = new Report("rtj", "t", Machine.detect());
  private final RtjReport rows = new RtjReport(report);

  @Test
  void shouldPutDownAFailureToTheFloorWhereThatFailsToo() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS, SLOW_NS);
    watch(SLOW_NS);

    assertThat(report())
        .contains("1 of 2 criteria are met. Of the other 1: 1 missed by the same test in C, too. ");
  }

  @Test
  void shouldPutDownAFailureToAMachineThatHoldsThreadsUpAsLongSoOften() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    watch(SLOW_NS);

    assertThat(report())
        .contains("Of the other 1: 1 by the machine, which holds up")
        .doesNotContain("by Takt");
  }

  @Test
  void shouldPutDownAFailureToTaktOtherwise() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    watch(QUICK_NS - 1);

    assertThat(report())
        .contains("Of the other 1: 1 by Takt, or by a chance")
        .doesNotContain("by the machine");
  }

  @Test
  void shouldPutNothingDownWhereAllIsMet() {
    samples.add("switch", QUICK_NS, QUICK_NS);

    assertThat(report())
        .contains("2 of 2 criteria are met.")
        .doesNotContain("it (and not Takt) was run again")
        .doesNotContain("Of the other");
  }

  @Test
  void shouldAskForTheFloorAgainUntilItHasFailedWhereOnlyItMetACriterion() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    rows.add("3.3.1", samples);
    assertThat(rows.metByFloorOnly("3.3.1")).containsExactly("3.3.1");

    rows.addFloor("3.3.1", floor(QUICK_NS));
    assertThat(rows.metByFloorOnly("3.3.1")).containsExactly("3.3.1");

    rows.addFloor("3.3.1", floor(SLOW_NS));
    assertThat(rows.metByFloorOnly("3.3.1")).isEmpty();

    rows.finish();
    assertThat(report.toTable().replaceAll("\\s+", " "))
        .contains("Of the other 1: 1 missed by that test when it was run again. ");
    Result row = report.result("3.3.1");
    assertThat(row.members())
        .containsEntry("pass", false)
        .containsEntry("floor_pass", true)
        .containsEntry("floor_value", (double) QUICK_NS)
        .containsEntry("floor_again_runs", 2)
        .containsEntry("floor_again_failed", 1)
        .containsEntry("floor_again_worst", (double) SLOW_NS);
    assertThat(row.get("why").toString())
        .endsWith("run again by itself, the floor failed in 1 of 2 runs, with 90 us at the worst");
    assertThat(report.toTable().replaceAll("\\s+", " "))
        .contains("it (and not Takt) was run again");
    assertThat(report.result("3.3.1-p50").members()).doesNotContainKey("floor_again_runs");
  }

  @Test
  void shouldNotExcuseAFailureByAFloorThatNeverFailed() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    rows.add("3.3.1", samples);
    rows.addFloor("3.3.1", floor(QUICK_NS));
    rows.finish();

    assertThat(report.toTable().replaceAll("\\s+", " "))
        .contains("Of the other 1: 1 by Takt, or by a chance");
    assertThat(report.result("3.3.1").get("why").toString()).contains("failed in 0 of 1 runs");
  }

  @Test
  void shouldNotAskForTheFloorAgainWhereThereIsNothingToLearn() {
    rows.add("3.3.1", samples);
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    assertThat(rows.metByFloorOnly("3.3.1")).as("there is no floor").isEmpty();

    samples.add("floor.switch", QUICK_NS, SLOW_NS);
    assertThat(rows.metByFloorOnly("3.3.1")).as("it has failed").isEmpty();
    assertThat(rows.metByFloorOnly("3.3.2")).as("not measured").isEmpty();
  }

  private static Samples floor(long worstNs) {
    Samples floor = new Samples();
    floor.add("floor.switch", QUICK_NS, worstNs);
    return floor;
  }

  /** A machine that holds up that long once in 100 us of looking at the clock. */
  private void watch(long heldUpNs) {
    samples.add(OsNoise.PREFIX + "late", 1, 1);
    samples.add(OsNoise.PREFIX + "gap", 1, heldUpNs);
    samples.add(OsNoise.PREFIX + "looked", 50_000, 50_000);
  }

  private String report() {
    rows.add("3.3.1", samples);
    rows.finish();
    return report.toTable().replaceAll("\\s+", " ");
  }
}
