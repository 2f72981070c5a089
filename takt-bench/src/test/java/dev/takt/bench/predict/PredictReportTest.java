package dev.takt.bench.predict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Outcome;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What is wanted of a task, at the edges. */
class PredictReportTest {
  private static final double PERIODS = 100_000;

  /** Of 100 values 98 are the first, so that p99 is the second. */
  private static Histogram mostly(long mostNs, long restNs) {
    Histogram histogram = Measurement.histogram();
    histogram.recordValueWithCount(mostNs, 98);
    histogram.recordValueWithCount(restNs, 2);
    return histogram;
  }

  private static Outcome outcome(
      double late, Histogram latenessNs, Histogram gapErrorNs, double bytes, double spunNs) {
    Measurement figure =
        new Measurement(latenessNs, 1, 0)
            .with("late", late)
            .with("periods", PERIODS)
            .with("bytes", bytes)
            .with("spun_ns", spunNs)
            .with("ran_ns", 100);
    return new Outcome(
        figure,
        Measurement.histogram(),
        gapErrorNs,
        gapErrorNs,
        Measurement.histogram(),
        List.of());
  }

  private static Outcome task(double late, Histogram gapErrorNs) {
    return outcome(late, mostly(0, 0), gapErrorNs, 0, 30);
  }

  private static Outcome cyclictest(double late) {
    return outcome(late, mostly(14_000, 54_000), Measurement.histogram(), 0, 0);
  }

  @Test
  void shouldWantNothingMoreOfATaskThatHasItAll() {
    assertThat(PredictReport.unmet(task(99, mostly(990, 14_900)), "cyclictest", cyclictest(83)))
        .isEmpty();
    assertThat(PredictReport.unmet(task(99, mostly(990, 14_900)), "cyclictest", null)).isEmpty();
    assertThat(PredictReport.unmet(task(0, mostly(0, 0)), "cyclictest", cyclictest(0))).isEmpty();
  }

  @Test
  void shouldSayWhatTheFloorHasOfWhatIsWanted() {
    assertThat(PredictReport.unmet(task(1_000, mostly(0, 16_000)), "cyclictest", cyclictest(840)))
        .isEqualTo(
            "late due times under 0.1 % (cyclictest: 0.840 %), inter-arrival p99 error under 15 us"
                + " (cyclictest: 40.0 us from p50 to p99 of its lateness)");
  }

  @Test
  void shouldWantNoMoreLateDueTimesThanAFifthAboveTheFloors() {
    assertThat(PredictReport.unmet(task(61, mostly(0, 0)), "cyclictest", cyclictest(50)))
        .isEqualTo("late due times at most 1.2 times cyclictest's");
    assertThat(PredictReport.unmet(task(59, mostly(0, 0)), "cyclictest", cyclictest(50))).isEmpty();
  }

  @Test
  void shouldNameTheFloorThatThereWas() {
    assertThat(PredictReport.unmet(task(61, mostly(0, 0)), "floor", cyclictest(50)))
        .isEqualTo("late due times at most 1.2 times floor's");
  }

  @Test
  void shouldDoWithoutAFloor() {
    assertThat(PredictReport.unmet(task(100, mostly(0, 16_000)), "cyclictest", null))
        .isEqualTo("late due times under 0.1 %, inter-arrival p99 error under 15 us");
  }

  @Test
  void shouldNoticeLateMediansGarbageAndTooMuchSpinning() {
    assertThat(
            PredictReport.unmet(
                outcome(0, mostly(0, 0), mostly(1_100, 2_000), 8, 31), "cyclictest", null))
        .isEqualTo("inter-arrival p50 error under 1 us, 0 bytes, at most 30 % spinning");
  }

  @Test
  void shouldSayWhatIsNotMet() {
    LatenessRecorder record = new LatenessRecorder(1_000);
    record.begin(0, 2);
    record.released(-1_000, -1_000, -1_000);
    record.released(0, 0, 0);
    record.released(1_000, 1_000, 1_000);
    record.released(2_000, 50_000, 50_000);
    Outcome outcome = record.outcome(Map.of());

    assertThat(PredictReport.unmet(outcome, "cyclictest", null))
        .contains("late due times under 0.1 %", "p99 error under 15 us")
        .doesNotContain("spinning");
    assertThat(PredictReport.unmet(outcome, "cyclictest", outcome)).doesNotContain("1.2 times");
  }
}
