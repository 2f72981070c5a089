package dev.takt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.rtj.FramePlan;
import dev.takt.bench.rtj.RtjCases;
import dev.takt.bench.rtj.Samples;
import dev.takt.cli.report.Report;
import dev.takt.cli.report.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shape of the suite; the figures of such short runs mean nothing. */
class RtjSuiteTest {
  private static final List<String> JUDGED =
      List.of(
          "3.1.1",
          "3.1.1-max",
          "3.1.1-min",
          "3.1.2",
          "3.1.2-max",
          "3.1.2-min",
          "3.2.1-0-threads",
          "3.2.1-15-threads",
          "3.2.2-0-threads",
          "3.2.2-15-threads",
          "3.2.3-pooled-0-threads",
          "3.2.3-pooled-15-threads",
          "3.2.3-bound-0-threads",
          "3.2.3-bound-15-threads",
          "3.3.1",
          "3.3.1-p50",
          "3.3.2",
          "3.3.2-p50",
          "inversion-pi",
          "3.3.3",
          "3.3.3-uncontended",
          "3.3.3-synchronized",
          "3.3.3-ceiling",
          "3.3.4-bound",
          "3.3.4-pooled",
          "3.4.1-heap",
          "3.4.1-immortal",
          "3.4.1-linear-time",
          "3.4.1-variable-time",
          "3.4.1-64-bytes-heap",
          "3.4.2-division",
          "3.4.2-logarithm",
          "3.4.2-no-operation",
          "3.4.3-entry-heap",
          "3.4.3-exit-variable-time");

  private static final List<String> TOLD =
      List.of(
          "3.1.1-no-heap",
          "3.1.1-realtime",
          "3.1.1-ordinary",
          "inversion-plain",
          "creation-no-heap",
          "creation-plain",
          "timer-one-shot",
          "timer-absolute",
          "clock-resolution",
          "class-loading",
          "yield");

  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
  private final SuiteRunner runner =
      new SuiteRunner(RunProfile.TINY, new PrintStream(progress, true, StandardCharsets.UTF_8));

  @Test
  void shouldHaveARowForEachTestOfThePaper() throws Exception {
    Report report = BenchCommand.run(RtjSuite.SUITE, runner);

    assertThat(runner.failures()).isEmpty();
    for (String name : JUDGED) {
      Result result = report.result(name);
      assertThat(result).as(name).isNotNull();
      assertThat(result.members())
          .as(name)
          .containsKeys("what", "criterion", "limit", "pass", "min", "avg", "p50", "p99", "max")
          .containsKey("steal_ticks");
      if (result.get("pass").equals(false)) {
        assertThat(result.get("why").toString()).as(name).isNotEmpty();
        if (Boolean.TRUE.equals(result.get("floor_pass"))) {
          assertThat(result.get("floor_again_runs")).as(name).isEqualTo(1);
        }
      }
    }
    for (String name : TOLD) {
      assertThat(report.result(name)).as(name).isNotNull();
      assertThat(report.result(name).get("pass")).as(name).isNull();
    }
    shouldRedrawThePaper(report);
  }

  private static void shouldRedrawThePaper(Report report) throws Exception {
    String page = report.toHtml();
    for (int figure : new int[] {2, 4, 5, 6}) {
      assertThat(page).contains("Fig. " + figure + ":");
    }
    Map<String, Object> json = JSON.std.mapFrom(report.toJson());
    for (int table : new int[] {1, 2, 3, 4, 5, 7, 8, 9}) {
      assertThat(json.keySet())
          .as("tables of the paper")
          .anyMatch(each -> each.startsWith("table_" + table + "_"));
      assertThat(page).contains("Table " + table + " ");
    }
    assertThat(report.toTable().replaceAll("\\s+", " ")).contains("criteria are met.", "Granted:");
  }

  @Test
  void shouldTakeFramesOf20Hz() {
    for (RunProfile profile : List.of(RunProfile.QUICK, RunProfile.FULL)) {
      assertThat(profile.frames().periodNs()).isEqualTo(50_000_000);
      assertThat(profile.frames().count() % profile.frames().block()).isZero();
    }
    assertThat(RunProfile.FULL.frames().count()).isEqualTo(200);
  }

  @Test
  void shouldMeasureOnlyTheFloorOfACaseWhenAsked() throws Exception {
    try (BaselineProgram floor = BaselineProgram.compile()) {
      FramePlan plan = new FramePlan(4, 2, 2_000_000, 10, 0);

      Samples samples = new RtjCases("3.2.1", plan, floor.path(), false, false).ofFloor().run();

      assertThat(samples.has("floor.0-threads.start")).isTrue();
      assertThat(samples.has("floor.15-threads.start")).isTrue();
      assertThat(samples.has("0-threads.start")).isFalse();
      assertThat(samples.has("floor.watch.late")).isFalse();
    }
  }

  @Test
  void shouldRefuseACaseThatThereIsNot() {
    FramePlan plan = new FramePlan(1, 1, 1, 1, 0);
    assertThatThrownBy(() -> new RtjCases("9.9", plan, "-", false, false).run())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no case 9.9 among [3.1.1, 3.2.1");
  }
}
