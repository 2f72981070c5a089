package dev.takt.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.takt.testkit.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One definition of a late due time for all. */
class LatenessRecorderTest {
  private static final long PERIOD_NS = 1_000;

  private final LatenessRecorder record = new LatenessRecorder(PERIOD_NS);

  /** Reachable, so that the compiler does not leave it out. */
  private volatile byte[] garbage;

  private Outcome outcome() {
    return record.outcome(Map.of());
  }

  /** Begins a block whose first release, at 0, ends the warm-up and is not counted. */
  private void begin(long count) {
    record.begin(0, count, () -> 0);
    record.released(-PERIOD_NS, -PERIOD_NS, -PERIOD_NS);
    record.released(0, 0, 0);
  }

  @Test
  void shouldCountADueTimeAsLateThatIsServedAPeriodLate() {
    begin(100);
    record.released(1_000, 1_999, 1_999);
    record.released(2_000, 3_000, 3_000);
    record.released(3_000, 4_001, 4_001);

    assertThat(outcome().count("periods")).isEqualTo(3);
    assertThat(outcome().late())
        .containsExactly(
            new LatenessRecorder.LateDue(1, 1_000), new LatenessRecorder.LateDue(2, 1_001));
  }

  @Test
  void shouldCountTheSameWhetherAStallIsCaughtUpSkippedOrReportedByCyclictest() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      long stallNs = random.nextLong(20 * PERIOD_NS);
      LatenessRecorder catchesUp = new LatenessRecorder(PERIOD_NS);
      LatenessRecorder skips = new LatenessRecorder(PERIOD_NS);
      LatenessRecorder cyclictest = new LatenessRecorder(PERIOD_NS);
      begin(catchesUp);
      begin(skips);
      for (long dueNs = PERIOD_NS; dueNs <= 30 * PERIOD_NS; dueNs += PERIOD_NS) {
        long startNs = Math.max(dueNs, PERIOD_NS + stallNs);
        catchesUp.released(dueNs, startNs, startNs);
        boolean skipped = dueNs > PERIOD_NS && startNs - dueNs >= PERIOD_NS;
        if (!skipped) {
          skips.released(dueNs, startNs, startNs);
        }
      }
      TreeMap<Long, Long> wakeUps = new TreeMap<>(Map.of(stallNs, 1L));
      cyclictest.add(wakeUps);

      double late = late(catchesUp);
      assertThat(late).as("stall %d, seed %d", stallNs, seed).isEqualTo(stallNs / PERIOD_NS);
      assertThat(late(skips)).as("stall %d, seed %d", stallNs, seed).isEqualTo(late);
      assertThat(late(cyclictest)).as("stall %d, seed %d", stallNs, seed).isEqualTo(late);
      double stalls = stallNs >= PERIOD_NS ? 1 : 0;
      assertThat(lateReleases(skips)).as("stall %d, seed %d", stallNs, seed).isEqualTo(stalls);
      assertThat(lateReleases(cyclictest)).as("stall %d, seed %d", stallNs, seed).isEqualTo(stalls);
      assertThat(lateReleases(catchesUp)).as("stall %d, seed %d", stallNs, seed).isEqualTo(stalls);
    }
  }

  private static void begin(LatenessRecorder record) {
    record.begin(0, 1_000, () -> 0);
    record.released(-PERIOD_NS, -PERIOD_NS, -PERIOD_NS);
    record.released(0, 0, 0);
  }

  private static double lateReleases(LatenessRecorder record) {
    return record.outcome(Map.of()).count("late_releases");
  }

  private static double late(LatenessRecorder record) {
    return record.outcome(Map.of()).count("late");
  }

  @Test
  void shouldCountAGapOfSeveralPeriodsForEachReleaseThatShouldHaveBegunInIt() {
    begin(100);
    record.released(1_000, 1_010, 1_020);
    record.released(5_000, 5_010, 5_020);

    assertThat(outcome().gapNs().getTotalCount()).as("1010; 4000, 3000, 2000, 1000").isEqualTo(5);
    assertThat(outcome().gapErrorNs().getValueAtPercentile(100)).isBetween(3_000L, 3_001L);
    assertThat(outcome().count("periods")).isEqualTo(5);
    assertThat(outcome().count("late")).as("2000, 3000 and 4000 were skipped").isEqualTo(3);
    assertThat(outcome().lateReleasePercent()).as("one of two releases").isEqualTo(50);
    assertThat(outcome().intervalErrorNs().getTotalCount()).as("each gap once").isEqualTo(2);
    assertThat(outcome().intervalErrorNs().getMaxValue()).isBetween(3_000L, 3_001L);
  }

  @Test
  void shouldCountNothingOfTheWarmUpAndEndAfterTheWantedPeriods() throws InterruptedException {
    record.begin(5, 10, () -> 0);
    for (long dueNs = 0; dueNs < 100 * PERIOD_NS; dueNs += PERIOD_NS) {
      long lateNs = dueNs < 5 * PERIOD_NS ? 3 * PERIOD_NS : 0;
      record.released(dueNs, dueNs + lateNs, dueNs + lateNs);
    }

    assertThat(record.await()).isTrue();
    assertThat(outcome().count("periods")).isEqualTo(10);
  }

  @Test
  void shouldWarmUpUntilNothingIsAllocatedForAWhile() {
    LatenessRecorder.warmUp(); // so that the compiler has its turn before
    assertThat(countedOf(71_000, 40_000))
        .as("10,000 quiet ones after the last garbage")
        .isBetween(1.0, 21_000.0);
  }

  @Test
  void shouldWarmUpFourTimesAsLongAsItIsToAtMost() {
    assertThat(countedOf(90_000, 90_000)).isBetween(9_000.0, 10_000.0);
  }

  /** How many of some periods count if a number of the first ones make garbage. */
  private double countedOf(long periods, long garbagePeriods) {
    record.begin(20_000, periods, () -> 0);
    for (long period = 0; period <= periods; period++) {
      if (period < garbagePeriods && period % 500 == 0) {
        garbage = new byte[100];
      }
      record.released(period * PERIOD_NS, period * PERIOD_NS, period * PERIOD_NS);
    }
    return outcome().count("periods");
  }

  @Test
  void shouldAddUpBlocksWithoutTheGapBetweenThem() {
    begin(2);
    record.released(1_000, 1_000, 1_100);
    record.released(2_000, 2_000, 2_100);
    record.begin(0, 2, () -> 0);
    record.released(900_000, 900_000, 900_000);
    record.released(901_000, 901_000, 901_000);
    record.released(902_000, 902_000, 902_100);
    record.released(903_000, 904_500, 904_600);

    Outcome outcome = outcome();
    assertThat(outcome.count("periods")).isEqualTo(4);
    assertThat(outcome.count("late")).isEqualTo(1);
    assertThat(outcome.busyNs().getTotalCount()).isEqualTo(4);
    assertThat(outcome.count("ran_ns")).isEqualTo(2_000 + 3_500);
  }

  @Test
  void shouldCountSpinningOfThePeriodsThatCount() {
    long[] spunNs = {700};
    record.begin(0, 2, () -> spunNs[0]);
    record.released(0, 0, 0);
    record.released(1_000, 1_000, 1_000);
    spunNs[0] = 1_300;
    record.released(2_000, 2_000, 2_000);
    record.released(3_000, 3_000, 3_000);

    assertThat(outcome().spinPercent()).isEqualTo(30);
  }

  @Test
  void shouldCountGapsAndResponsesAfterAWarmUpOfSoManyPeriods() throws InterruptedException {
    LatenessRecorder pace = new LatenessRecorder(100);
    pace.begin(2, 10);
    pace.released(-200, -190, -183);
    pace.released(-100, -20, -13); // warm-up
    pace.released(0, 10, 17); // the end of it
    pace.released(100, 110, 117);
    pace.released(200, 215, 222);
    pace.released(800, 815, 822); // five periods were skipped
    pace.released(900, 900, 907);
    pace.released(1_000, 1_120, 1_127);
    pace.released(1_100, 1_121, 1_128); // not counted: the time is over

    assertThat(pace.await()).isTrue();
    Measurement figure = pace.gaps();
    assertThat(figure.count("periods")).isEqualTo(10);
    assertThat(figure.count("late")).as("five skipped, one a period late").isEqualTo(6);
    assertThat(figure.percentile(100)).isEqualTo(600);
    assertThat(figure.batchNs().getTotalCount())
        .as("100, 105, 600 to 100, 85, 220 and 120")
        .isEqualTo(11);
    assertThat(pace.responses().percentile(100)).isEqualTo(127);
    assertThat(pace.responses().batchNs().getTotalCount())
        .as("27 is less than a period")
        .isEqualTo(5);
  }

  @Test
  void shouldCountTheDueTimesThatCyclictestSkips() {
    SortedMap<Long, Long> wakeUps = new TreeMap<>(Map.of(0L, 5L, 40L, 3L, 50L, 2L, 170L, 1L));

    assertThat(LatenessRecorder.dueTimes(wakeUps, 50))
        .as("170 late means 120, 70 and 20 for the next ones; 50 late passes none")
        .containsExactly(
            entry(0L, 5L),
            entry(20L, 1L),
            entry(40L, 3L),
            entry(50L, 2L),
            entry(70L, 1L),
            entry(120L, 1L),
            entry(170L, 1L));
  }

  @Test
  void shouldCountAStallOfCyclictestAsAnyOther() {
    LatenessRecorder cyclictest = new LatenessRecorder(100_000);
    cyclictest.add(new TreeMap<>(Map.of(4_000L, 90L, 120_000L, 9L, 250_000L, 1L)));
    Measurement figure = cyclictest.lateness();

    assertThat(figure.p50()).isBetween(3_990.0, 4_010.0);
    assertThat(figure.percentile(100)).isBetween(249_500.0, 250_500.0);
    assertThat(figure.count("late")).as("nine of 120 us, one of 250 and of 150").isEqualTo(11);
    assertThat(figure.count("periods")).as("90, twice nine, and 250, 150, 50").isEqualTo(111);
  }

  @Test
  void shouldTellTheMedianOfTheBlocksOwnPercentiles() {
    for (long gapNs : new long[] {1_010, 900_000, 1_020}) {
      begin(1);
      record.released(PERIOD_NS, gapNs, gapNs);
    }
    Measurement figure = record.gaps();
    assertThat(figure.count(LatenessRecorder.BLOCK_P999)).isEqualTo(1_020);
    assertThat(figure.percentile(99.9)).isGreaterThan(890_000);
    assertThat(record.gaps().count(LatenessRecorder.BLOCK_P999)).as("again").isEqualTo(1_020);
  }
}
