package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import org.junit.jupiter.api.Test;

class RowTest {
  private final Report report = new Report("rtj", "t", Machine.detect());
  private final Stats stats = Stats.of(new long[] {1_000, 2_000, 9_000});
  private final Stats better = Stats.of(new long[] {1_000, 1_500, 4_000});

  @Test
  void shouldJudgeAFigureAndItsFloorByTheSameCriterion() {
    Result passed = row("a", Criterion.belowUs("max", 9.5)).floor(better, 4_000).addTo(report);

    assertThat(passed.members())
        .containsEntry("criterion", "max < 9.5 us")
        .containsEntry("limit", 9_500.0)
        .containsEntry("pass", true)
        .containsEntry("floor_pass", true)
        .containsEntry("peer_value", 4_000.0)
        .containsEntry("paper_value", 2_800.0)
        .containsEntry("min", 1_000.0)
        .containsEntry("avg", 4_000.0)
        .containsEntry("p50", 2_000.0)
        .containsEntry("p99", 9_000.0)
        .containsEntry("max", 9_000.0)
        .containsEntry("floor_max", 4_000.0)
        .doesNotContainKey("why");
  }

  @Test
  void shouldSayWhetherTheFloorFailsToo() {
    Criterion criterion = Criterion.belowUs("max", 9);

    assertThat(row("alone", criterion).stolen(2, 0).addTo(report).members())
        .containsEntry("pass", false)
        .containsEntry(
            "why",
            "not met, and no floor was measured beside it, 2 ticks of 10 ms stolen from the machine")
        .doesNotContainKey("floor_pass");
    assertThat(row("worse", criterion).floor(better, 4_000).addTo(report).get("why"))
        .isEqualTo("not met; the floor (C) meets it");
    assertThat(row("same", criterion).floor(stats, 9_000).addTo(report).get("why"))
        .isEqualTo("not met; the floor (C) does not meet it either");
  }

  @Test
  void shouldSayWhatTheMachineDoesByItselfAndFailAllTheSame() {
    OsNoise machine = new OsNoise(new long[] {20_000, 5}, new long[] {1}, 1_000);
    Criterion criterion = Criterion.belowUs("max", 9);

    assertThat(
            row("held-up", criterion)
                .floor(better, 4_000)
                .heldUp(machine, 7_000, 3, 0)
                .addTo(report)
                .members())
        .containsEntry("pass", false)
        .containsEntry("hold_up_enough_ns", 7_000.0)
        .containsEntry("hold_up_longest_ns", 20_000L)
        .containsEntry(Row.HOLD_UPS_EXPECTED, 1.5)
        .containsEntry(
            "why",
            "not met; the floor (C) meets it; a C thread that only slept and looked at the clock"
                + " was held up for 0.0200 ms at the longest, and so often for the 0.00700 ms that"
                + " break this that it is to be expected of 1.5 of these samples");
    assertThat(row("unwatched", criterion).heldUp(null, 7_000, 3, 0).addTo(report).members())
        .doesNotContainKey(Row.HOLD_UPS_EXPECTED);
    assertThat(row("immune", criterion).heldUp(machine, 0, 3, 0).addTo(report).members())
        .doesNotContainKey(Row.HOLD_UPS_EXPECTED);
  }

  @Test
  void shouldNotPassWithoutASample() {
    Result result =
        Row.ns("none", "w")
            .criterion(Criterion.belowUs("max", 9))
            .measured(Stats.of(new long[0]), 0)
            .addTo(report);

    assertThat(result.get("pass")).isEqualTo(false);
    assertThat(result.get("why").toString()).contains("no sample");
  }

  @Test
  void shouldTellLimitsThatMayBeReached() {
    assertThat(Criterion.atMostPercent("avg", 1).holds(1)).isTrue();
    assertThat(Criterion.atMostPercent("avg", 1)).hasToString("avg <= 1 %");
    assertThat(Criterion.belowPercent("avg", 5).holds(5)).isFalse();
    assertThat(Criterion.belowMs("max - min", 0.5).holds(499_999)).isTrue();
    assertThat(Criterion.belowMs("max - min", 0.5)).hasToString("max - min < 0.5 ms");
    assertThat(Criterion.atMostUs("avg", 100).holds(100_000)).isTrue();
  }

  @Test
  void shouldNeedNeitherACriterionNorAPaper() {
    assertThat(Row.ns("bare", "w").paper(Double.NaN).measured(stats, 1).addTo(report).members())
        .doesNotContainKeys("criterion", "pass", "paper_value", "floor", "peer");
  }

  private Row row(String name, Criterion criterion) {
    return Row.ns(name, "w").criterion(criterion).paper(2_800).measured(stats, stats.max());
  }
}
