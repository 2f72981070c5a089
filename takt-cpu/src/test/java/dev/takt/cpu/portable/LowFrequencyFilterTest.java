package dev.takt.cpu.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LowFrequencyFilterTest {
  private static final long MS = 1_000_000;

  private final LowFrequencyFilter filter = new LowFrequencyFilter();

  @Test
  void shouldShortenPausesByTheDelayThatItHasLearned() {
    for (int i = 0; i < 100; i++) {
      filter.ended(Interval.PAUSE, 0, 2 * MS);
    }

    assertThat(filter.lateNs()).isBetween(2 * MS - 10, 2 * MS);
    assertThat(filter.apply(Interval.PAUSE, 10 * MS)).isBetween(8 * MS, 8 * MS + 10);
  }

  @Test
  void shouldForgetADelayThatIsOver() {
    for (int i = 0; i < 100; i++) {
      filter.ended(Interval.PAUSE, 0, 2 * MS);
    }
    for (int i = 0; i < 200; i++) {
      filter.ended(Interval.PAUSE, 0, 0);
    }

    assertThat(filter.apply(Interval.PAUSE, 10 * MS)).isBetween(10 * MS - 10, 10 * MS);
  }

  @Test
  void shouldFollowASingleAccidentByAnEighthOnly() {
    filter.ended(Interval.PAUSE, 0, 8 * MS);

    assertThat(filter.lateNs()).isEqualTo(MS);
  }

  @Test
  void shouldTakeTheDelayOfAPauseOnceFromTheNextSlot() {
    filter.ended(Interval.PAUSE, 0, MS);

    assertThat(filter.apply(Interval.SLOT, 5 * MS)).isEqualTo(4 * MS);
    assertThat(filter.apply(Interval.SLOT, 5 * MS)).isEqualTo(5 * MS);
  }

  @Test
  void shouldTakeNothingFromASlotForADelayThatThePauseWasShortenedBy() {
    for (int i = 0; i < 100; i++) {
      filter.ended(Interval.PAUSE, 0, 2 * MS);
    }
    long pauseNs = filter.apply(Interval.PAUSE, 10 * MS);

    filter.ended(Interval.PAUSE, pauseNs, 10 * MS);
    assertThat(filter.apply(Interval.SLOT, 5 * MS)).as("all is on time").isEqualTo(5 * MS);

    filter.ended(Interval.PAUSE, filter.apply(Interval.PAUSE, 10 * MS), 11 * MS);
    assertThat(filter.apply(Interval.SLOT, 5 * MS)).isBetween(4 * MS, 4 * MS + 10);
  }

  @Test
  void shouldTakeTheDelayOfASlotFromTheNextOneAndLearnNothingFromIt() {
    filter.ended(Interval.SLOT, 0, MS);

    assertThat(filter.lateNs()).isZero();
    assertThat(filter.apply(Interval.SLOT, 5 * MS)).isEqualTo(4 * MS);
  }

  @Test
  void shouldTakeNoMoreThanHalf() {
    for (int i = 0; i < 100; i++) {
      filter.ended(Interval.PAUSE, 0, 20 * MS);
    }

    assertThat(filter.apply(Interval.PAUSE, 10 * MS)).isEqualTo(5 * MS);
    assertThat(filter.apply(Interval.SLOT, 10 * MS)).isEqualTo(5 * MS);
  }

  /**
   * The frames of the paper, each due 30 ms after the other, on timers that are 10 to 15 ms late.
   */
  @Test
  void shouldKeepFramesFromBeingLateOnTimersThatAreLate() {
    long seed = Seeds.seed();

    double unfiltered = lateFrames(new Random(seed), List.of());
    double filtered = lateFrames(new Random(seed), List.of(filter));

    assertThat(unfiltered).as(Seeds.replay(seed)).isEqualTo(1);
    assertThat(filtered).as(Seeds.replay(seed)).isLessThan(0.02);
  }

  /** Returns the share of frames that begin 10 ms late or more. */
  private static double lateFrames(Random random, List<RealTimeFilter> filters) {
    FilterChain chain = new FilterChain(filters, thrown -> {});
    List<Long> lateness = new ArrayList<>();
    long nowNs = 0;
    for (long dueNs = 30 * MS; dueNs < 1_000 * 30 * MS; dueNs += 30 * MS) {
      long endNs = nowNs + chain.apply(Interval.PAUSE, 0, dueNs - nowNs);
      long wokenNs = endNs + 10 * MS + random.nextLong(5 * MS);
      chain.ended(Interval.PAUSE, endNs, wokenNs);
      nowNs = Math.max(wokenNs, dueNs);
      lateness.add(nowNs - dueNs);
      nowNs += 2 * MS;
    }
    return (double) lateness.stream().filter(each -> each >= 10 * MS).count() / lateness.size();
  }
}
