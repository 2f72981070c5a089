package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.takt.persist.CostModel.Load;
import dev.takt.persist.CostModel.Sample;
import dev.takt.testkit.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a cycle costs, and which increments follow from it. */
class CostModelTest {
  private final Random random = new Random(Seeds.seed());

  private static Sample sample(long objects, long bytes, double objectNs, double byteNs) {
    long workNs = Math.max(1, Math.round(objectNs * objects + byteNs * bytes));
    return new Sample(new Load(objects, bytes), List.of(), workNs, 3_000, 1_000_000);
  }

  private CostModel model(double objectNs, double byteNs, double noise, int cycles) {
    CostModel model = CostModel.EMPTY;
    for (int i = 0; i < cycles; i++) {
      long objects = 1_000 + random.nextInt(1_000_000);
      long bytes = objects * (2 + random.nextInt(200));
      double factor = 1 + noise * (2 * random.nextDouble() - 1);
      model = model.with(sample(objects, bytes, objectNs * factor, byteNs * factor));
    }
    return model;
  }

  @Test
  void shouldFindBothConstantsWhenCyclesDiffer() {
    CostModel model = model(120, 0.75, 0, 10);

    assertThat(model.objectNs()).isCloseTo(120, within(0.5));
    assertThat(model.byteNs()).isCloseTo(0.75, within(0.01));
    assertThat(model.workNs(new Load(500_000, 5_000_000))).isCloseTo(63_750_000, within(100_000.0));
    assertThat(model.pieceNs()).isEqualTo(3_000);
  }

  @Test
  void shouldTakeOneConstantWhenAllCyclesAreOfOneKind() {
    CostModel model = CostModel.EMPTY;
    for (int i = 1; i <= 5; i++) {
      model = model.with(sample(1_000 * i, 10_000 * i, 100, 1));
    }
    assertThat(model.workNs(new Load(50_000, 500_000))).isCloseTo(5_500_000, within(1_000.0));
    assertThat(model.error()).isLessThan(0.001);
  }

  @Test
  void shouldNeverSayThatMoreCostsLess() {
    for (int i = 0; i < Seeds.size(200, 20_000); i++) {
      CostModel model = CostModel.EMPTY;
      for (int cycle = 0; cycle < 4; cycle++) {
        model =
            model.with(
                new Sample(
                    new Load(1 + random.nextInt(1_000_000), 1 + random.nextInt(100_000_000)),
                    List.of(),
                    1 + random.nextInt(1_000_000_000),
                    0,
                    0));
      }
      assertThat(model.objectNs()).as(Seeds.replay(Seeds.seed())).isNotNegative();
      assertThat(model.byteNs()).isNotNegative();
      assertThat(model.objectNs() + model.byteNs()).isPositive();
    }
  }

  @Test
  void shouldShowHowWrongItsPredictionsWere() {
    CostModel one =
        CostModel.EMPTY.with(new Sample(new Load(1_000, 10_000), List.of(), 100_000, 0, 0));
    assertThat(one.error()).as("nothing was predicted yet").isEqualTo(1);

    CostModel two = one.with(new Sample(new Load(2_000, 20_000), List.of(), 250_000, 0, 0));
    assertThat(two.error()).as("200,000 predicted").isCloseTo(0.2, within(1e-9));
    assertThat(two.worstWorkNs(new Load(1_000, 10_000)))
        .isGreaterThan(two.workNs(new Load(1_000, 10_000)));

    CostModel noisy = model(100, 1, 0.1, 40);
    assertThat(noisy.error()).isBetween(0.0, 0.5);
    assertThat(noisy.cycles()).isEqualTo(CostModel.CYCLES);
  }

  @Test
  void shouldChooseIncrementsThatEndTheCycleInTime() {
    for (int i = 0; i < Seeds.size(300, 30_000); i++) {
      CostModel model = model(20 + random.nextInt(500), random.nextDouble(), 0.1, 6);
      long objects = 1 + random.nextInt(2_000_000);
      Load load = new Load(objects, objects * (1 + random.nextInt(50)));
      long pauseNs = 20_000 + random.nextInt(1_000_000);
      long leastNs = model.cycleNs(load, pauseNs, pauseNs);
      long cycleNs = leastNs + random.nextInt(1_000_000_000);

      long periodNs = model.periodFor(load, pauseNs, cycleNs);
      assertThat(periodNs).as(Seeds.replay(Seeds.seed())).isGreaterThanOrEqualTo(pauseNs);
      assertThat(model.cycleNs(load, pauseNs, periodNs)).isLessThanOrEqualTo(cycleNs);
      assertThat(model.cycleNs(load, pauseNs, periodNs + 1)).isGreaterThan(cycleNs);

      long chosenNs = model.pauseFor(load, periodNs, cycleNs);
      assertThat(chosenNs).isBetween(20_000L, pauseNs);
      assertThat(model.cycleNs(load, chosenNs, periodNs)).isLessThanOrEqualTo(cycleNs);
      assertThat(model.worstPauseNs(chosenNs)).isLessThanOrEqualTo(chosenNs);
    }
  }

  @Test
  void shouldSayWhatIsMissingWhenNoIncrementIsLongEnough() {
    CostModel model = model(100, 1, 0, 6);

    assertThatThrownBy(() -> model.periodFor(new Load(1_000_000, 10_000_000), 500_000, 50_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cycleNs=50000000")
        .hasMessageContaining("targetPauseNs=500000")
        .hasMessageContaining("give cycles more time");
    assertThatThrownBy(() -> model.pauseFor(new Load(1_000_000, 10_000_000), 500_000, 50_000_000))
        .hasMessageContaining("periodNs=500000");
    assertThatThrownBy(() -> new Load(0, 1)).hasMessageContaining("objects=0");
  }

  @Test
  void shouldTakeTheLengthOfObjectsFromTheLastCycleThatHadSome() {
    CycleStats.OfClass first = new CycleStats.OfClass(String.class.getName(), 10, 200);
    CycleStats.OfClass second = new CycleStats.OfClass(Long.class.getName(), 4, 8);
    CycleStats.OfClass later = new CycleStats.OfClass(Long.class.getName(), 2, 6);
    CostModel model =
        CostModel.EMPTY
            .with(new Sample(new Load(14, 208), List.of(first, second), 1_000, 0, 0))
            .with(new Sample(new Load(2, 6), List.of(later), 100, 0, 0));

    assertThat(model.load(Map.of(String.class, 5L, Long.class, 100L)))
        .isEqualTo(new Load(105, 400));
    assertThatThrownBy(() -> model.load(Map.of(Integer.class, 1L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("class java.lang.Integer was in none of the last 2 cycles");
  }

  @Test
  void shouldNotAnswerBeforeItKnowsACycle() {
    Load load = new Load(1_000, 10_000);
    assertThatThrownBy(() -> CostModel.EMPTY.periodFor(load, 200_000, 1_000_000_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cycles=0");
    assertThatThrownBy(() -> CostModel.EMPTY.pauseFor(load, 200_000, 1_000_000_000))
        .isInstanceOf(IllegalStateException.class);
  }
}
