package dev.takt.cpu.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.cost.CostBound.Basis;
import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CostBoundTest {
  private static final long SEED = Seeds.seed();
  private static final int LEARNED = 10_000;
  private static final int SIMULATED = 10_000_000;

  /** Distributions of costs in nanoseconds, whose tails are known. */
  private enum Costs {
    UNIFORM(random -> 100_000 + 50_000 * random.nextDouble()),
    NORMAL(random -> 100_000 + 5_000 * random.nextGaussian()),
    GUMBEL(random -> 100_000 - 5_000 * Math.log(-Math.log(random.nextDouble()))),
    BIMODAL(
        random -> (random.nextInt(20) == 0 ? 200_000 : 100_000) + 5_000 * random.nextGaussian()),
    HEAVY(random -> 100_000 * Math.pow(1 - random.nextDouble(), -1 / 2.5));

    private final ToDoubleFunction<RandomGenerator> draw;

    Costs(ToDoubleFunction<RandomGenerator> draw) {
      this.draw = draw;
    }

    long next(RandomGenerator random) {
      return Math.round(draw.applyAsDouble(random));
    }
  }

  @ParameterizedTest
  @EnumSource(value = Costs.class, mode = EnumSource.Mode.EXCLUDE, names = "HEAVY")
  void shouldBoundReleasesByAnExponentialTail(Costs costs) {
    RandomGenerator random = seeded();
    CostBound bound = learn(costs, random);
    assertThat(bound.basis()).as("%s, seed %s: %s", costs, SEED, bound).isEqualTo(Basis.TAIL);
    long exceeded = 0;
    for (int i = 0; i < SIMULATED; i++) {
      exceeded += costs.next(random) > bound.boundNs() ? 1 : 0;
    }
    // One of a million is ten of ten million; of the order of that is less than a hundred.
    assertThat(exceeded).as("%s, seed %s: %s", costs, SEED, bound).isLessThan(100);
    assertThat(bound.boundNs()).isLessThan(3 * bound.maxNs());
  }

  @Test
  void shouldRefuseTheFitOfAHeavyTail() {
    CostBound bound = learn(Costs.HEAVY, seeded());
    assertThat(bound.basis()).as("seed %s: %s", SEED, bound).isEqualTo(Basis.HEAVY_TAIL);
    assertThat(bound.boundNs()).isEqualTo((long) Math.ceil(bound.maxNs() * 1.2));
    assertThat(bound.toString()).contains("a heavy tail, no fit holds");
  }

  @Test
  void shouldNotFitFewReleases() {
    long[] costsNs = LongStream.rangeClosed(1, 999).toArray();
    CostBound bound = CostBound.of(costsNs, CostBound.DEFAULT_PROBABILITY);
    assertThat(bound).isEqualTo(new CostBound(999, 500, 999, 1_199, 1e-6, Basis.TOO_FEW));
    assertThat(bound.toString()).contains("fewer than 1000 releases");
  }

  @Test
  void shouldBoundConstantCostsByTheirValue() {
    long[] costsNs = new long[1_000];
    Arrays.fill(costsNs, 5_000);
    CostBound bound = CostBound.of(costsNs, 1e-6);
    assertThat(bound).isEqualTo(new CostBound(1_000, 5_000, 5_000, 5_000, 1e-6, Basis.TAIL));
  }

  @Test
  void shouldRefuseWhatIsOutOfRange() {
    assertThatThrownBy(() -> CostBound.of(new long[0], 1e-6)).hasMessageContaining("releases=0");
    assertThatThrownBy(() -> CostBound.of(new long[] {-1}, 1e-6)).hasMessageContaining("cost=-1");
    assertThatThrownBy(() -> CostBound.of(new long[] {1}, 0))
        .hasMessageContaining("expected: 1e-12");
    assertThatThrownBy(() -> CostBound.of(new long[] {1}, Double.NaN))
        .hasMessageContaining("probability=NaN");
  }

  private static RandomGenerator seeded() {
    return new java.util.SplittableRandom(SEED);
  }

  private static CostBound learn(Costs costs, RandomGenerator random) {
    long[] costsNs = new long[LEARNED];
    Arrays.setAll(costsNs, i -> costs.next(random));
    return CostBound.of(costsNs, CostBound.DEFAULT_PROBABILITY);
  }
}
