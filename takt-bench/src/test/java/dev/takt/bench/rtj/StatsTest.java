package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatsTest {
  @Test
  void shouldTakeEverySampleIntoAccount() {
    Stats stats = Stats.of(LongStream.rangeClosed(1, 200).map(i -> 201 - i).toArray());

    assertThat(stats).isEqualTo(new Stats(200, 1, 100.5, 100, 198, 200));
    assertThat(stats.spread()).isEqualTo(199);
    assertThat(stats.times(0.5).max()).isEqualTo(100);
    assertThat(stats.minus(stats.times(0.5)).avg()).isEqualTo(50.25);
  }

  @Test
  void shouldHaveNothingOfNoSample() {
    assertThat(Stats.of(new long[0]).count()).isZero();
    assertThat(Stats.of(new long[] {7})).isEqualTo(new Stats(1, 7, 7, 7, 7, 7));
  }

  @Test
  void shouldCompareTheLargestWithTheSmallest() {
    Stats one = Stats.of(new long[] {100, 100});
    Stats two = Stats.of(new long[] {100, 104});
    Stats three = Stats.of(new long[] {99, 101});

    Stats apart = Stats.percentApart(one, two, three);

    assertThat(apart.avg()).isEqualTo(2);
    assertThat(apart.max()).isEqualTo(4);
    assertThat(apart.min()).isEqualTo(100.0 / 99, within(1e-9));
    assertThat(Stats.percentApart(one, one).max()).isZero();
  }

  @Test
  void shouldTakeGapsAndDifferences() {
    assertThat(CaseRunner.gaps(new long[] {5, 7, 20})).containsExactly(2, 13);
    assertThat(CaseRunner.gaps(new long[] {5})).isEmpty();
    assertThat(CaseRunner.differences(new long[] {9, 1, 4}, new long[] {5, 2, 4}))
        .containsExactly(4, 0);
  }
}
