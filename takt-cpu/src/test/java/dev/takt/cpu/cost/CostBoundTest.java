package dev.takt.cpu.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.takt.cpu.cost.CostBound.Basis;
import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsNoRights
class CostBoundTest {
  private static final long SEED = Seeds.seed();
  private static final int SIMULATED = 10_000_000;

  /** So many bounds are learned, each from releases of its own. */
  private static final int TRIALS = 100;

  /**
   * Of these so many may be off. A bound holds with a probability of 0.998 at least; that 6 of 100
   * do not has one of 8e-8.
   */
  private static final int OFF = 5;

  /**
   * What happens once in a million happens more often than 25 times in ten million with a
   * probability of 2e-5.
   */
  private static final int OF_THAT_ORDER = 25;

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

  /** Must be so for the trial by default and for one of ten times as many releases. */
  @ParameterizedTest
  @CsvSource({
    "UNIFORM, 1000", "NORMAL, 1000", "GUMBEL, 1000", "BIMODAL, 1000",
    "UNIFORM, 10000", "NORMAL, 10000", "GUMBEL, 10000", "BIMODAL, 10000"
  })
  void shouldBoundReleasesByAnExponentialTail(Costs costs, int trial) {
    RandomGenerator random = seeded();
    List<CostBound> bounds =
        Stream.generate(() -> learn(costs, trial, random)).limit(TRIALS).toList();
    long[] boundsNs = bounds.stream().mapToLong(CostBound::boundNs).sorted().toArray();
    long[] exceeded = new long[TRIALS];
    for (int i = 0; i < SIMULATED; i++) {
      long costNs = costs.next(random);
      for (int bound = 0; bound < TRIALS && costNs > boundsNs[bound]; bound++) {
        exceeded[bound]++;
      }
    }
    String figures =
        "%s, seed %s: %s exceeded %s"
            .formatted(costs, SEED, Arrays.toString(boundsNs), Arrays.toString(exceeded));
    assertThat(exceeded[OFF]).as(figures).isLessThanOrEqualTo(OF_THAT_ORDER);
    assertThat(boundsNs[TRIALS / 2]).as(figures).isLessThan(2 * bounds.getFirst().maxNs());
    assertThat(bounds.stream().filter(each -> each.basis() != Basis.TAIL).count())
        .as("fits that are refused, %s", figures)
        .isLessThanOrEqualTo(2 * OFF);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 10_000})
  void shouldRefuseTheFitOfAHeavyTail(int trial) {
    RandomGenerator random = seeded();
    List<CostBound> fitted = new ArrayList<>();
    for (int i = 0; i < TRIALS; i++) {
      CostBound bound = learn(Costs.HEAVY, trial, random);
      if (bound.basis() == Basis.TAIL) {
        fitted.add(bound);
      } else {
        assertThat(bound.basis()).isEqualTo(Basis.HEAVY_TAIL);
        assertThat(bound.boundNs()).isGreaterThanOrEqualTo((long) (bound.maxNs() * 1.2));
        assertThat(bound.toString()).contains("a heavy tail, no fit holds");
      }
    }
    assertThat(fitted.size()).as("seed %s: %s", SEED, fitted).isLessThanOrEqualTo(OFF);
  }

  @Test
  void shouldNotFitFewReleases() {
    long[] costsNs = LongStream.rangeClosed(1, 999).toArray();
    CostBound bound = CostBound.of(costsNs, CostBound.DEFAULT_PROBABILITY);
    assertThat(bound).isEqualTo(new CostBound(999, 500, 999, 1_199, 1e-6, Basis.TOO_FEW));
    assertThat(bound.toString()).contains("fewer than 1000 releases");
  }

  @Test
  void shouldTakeCostsThatAreAllEqualForOneStepOfTheClock() {
    long[] costsNs = new long[1_000];
    Arrays.fill(costsNs, 5_000);
    CostBound bound = CostBound.of(costsNs, 1e-6);
    assertThat(bound).isEqualTo(new CostBound(1_000, 5_000, 5_000, 10_000, 1e-6, Basis.COARSE));
    assertThat(bound.toString()).contains("a step of the clock, which is too coarse");
    assertThat(CostBound.of(new long[1_000], 1e-6))
        .isEqualTo(new CostBound(1_000, 0, 0, 0, 1e-6, Basis.COARSE));
  }

  /** A clock of 15.6 ms shows nothing but noughts and steps. */
  @Test
  void shouldAddAStepOfTheClockToTheMaximumWhereNothingElseShows() {
    long[] costsNs = new long[1_000];
    Arrays.fill(costsNs, 0, 10, 15_600_000);
    assertThat(CostBound.of(costsNs, 1e-6))
        .isEqualTo(new CostBound(1_000, 156_000, 15_600_000, 31_200_000, 1e-6, Basis.COARSE));
  }

  /** Steps of a fifth of a standard deviation and of twice of one, rounded down. */
  @ParameterizedTest
  @ValueSource(longs = {1_000, 10_000})
  void shouldBoundWhatAClockRoundsDown(long stepNs) {
    RandomGenerator random = seeded();
    int exceeded = 0;
    for (int i = 0; i < TRIALS; i++) {
      long[] costsNs = new long[1_000];
      Arrays.setAll(costsNs, at -> Costs.GUMBEL.next(random) / stepNs * stepNs);
      // What a release of a million exceeds: 100,000 + 5,000 * ln(1e6).
      exceeded += CostBound.of(costsNs, 1e-6).boundNs() < 169_000 ? 1 : 0;
    }
    assertThat(exceeded).as("seed %s", SEED).isLessThanOrEqualTo(OFF);
  }

  @Test
  void shouldStayInItsRangeWhateverTheCosts() {
    long[] costsNs = new long[2_000];
    Arrays.setAll(costsNs, i -> Long.MAX_VALUE - i);
    CostBound bound = CostBound.of(costsNs, 1e-12);
    assertThat(bound.boundNs()).isEqualTo(Long.MAX_VALUE);
    assertThat(bound.averageNs()).isCloseTo(Long.MAX_VALUE, withinPercentage(1));
    assertThat(CostBound.of(new long[] {7}, 1e-6).boundNs()).isEqualTo(14);
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

  private static CostBound learn(Costs costs, int releases, RandomGenerator random) {
    long[] costsNs = new long[releases];
    Arrays.setAll(costsNs, i -> costs.next(random));
    return CostBound.of(costsNs, CostBound.DEFAULT_PROBABILITY);
  }
}
