package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import org.junit.jupiter.api.Test;

class RtjReportTest {
  private static final long QUICK_NS = 5_000;
  private static final long SLOW_NS = 90_000; // the criterion is 10 us

  private final Samples samples = new Samples();

  @Test
  void shouldPutDownAFailureToTheFloorWhereThatFailsToo() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS, SLOW_NS);
    watch(SLOW_NS);

    assertThat(report())
        .contains("1 of 2 criteria are met. Of the others, 1 are not met by the floor either;")
        .contains("; 0 more by the machine itself")
        .contains("; 0 by neither");
  }

  @Test
  void shouldPutDownAFailureToAMachineThatHoldsThreadsUpAsLongSoOften() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    watch(SLOW_NS);

    assertThat(report())
        .contains(", 0 are not met by the floor either; 1 more by the machine itself")
        .contains("; 0 by neither");
  }

  @Test
  void shouldPutDownAFailureToTaktOtherwise() {
    samples.add("switch", QUICK_NS, QUICK_NS, SLOW_NS);
    samples.add("floor.switch", QUICK_NS, QUICK_NS);
    watch(QUICK_NS - 1);

    assertThat(report())
        .contains(", 0 are not met by the floor either; 0 more by the machine itself")
        .contains("; 1 by neither");
  }

  @Test
  void shouldPutNothingDownWhereAllIsMet() {
    samples.add("switch", QUICK_NS, QUICK_NS);

    assertThat(report())
        .contains("2 of 2 criteria are met.")
        .contains(", 0 are not met by the floor either; 0 more")
        .contains("; 0 by neither");
  }

  /** A machine that holds up that long once in 100 us of looking at the clock. */
  private void watch(long heldUpNs) {
    samples.add(HoldUps.PREFIX + "late", 1, 1);
    samples.add(HoldUps.PREFIX + "gap", 1, heldUpNs);
    samples.add(HoldUps.PREFIX + "looked", 50_000, 50_000);
  }

  private String report() {
    Report report = new Report("rtj", "t", Machine.detect());
    RtjReport rows = new RtjReport(report);
    rows.add("3.3.1", samples);
    rows.finish();
    return report.toTable();
  }
}
