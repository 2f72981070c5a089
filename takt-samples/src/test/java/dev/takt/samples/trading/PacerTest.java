package dev.takt.samples.trading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import org.junit.jupiter.api.Test;

class PacerTest {
  /** A clock that stands still but for those who sleep by it. */
  private static final class StillClock implements NanoClock {
    private long nowNs = 1_000_000;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      nowNs += durationNs;
    }
  }

  private final StillClock clock = new StillClock();

  @Test
  void shouldFollowTheMarketAtItsSpeed() {
    Pacer pacer = new Pacer(clock, 10);
    assertThat(pacer.isPaced()).isTrue();
    assertThat(pacer.isDue(5_000_000_000L)).isTrue();
    assertThat(pacer.isDue(5_000_000_009L)).isTrue();
    assertThat(pacer.isDue(7_000_000_000L)).isFalse();
    clock.nowNs = 1_000_000 + 199_999_999;
    assertThat(pacer.isDue(7_000_000_000L)).isFalse();
    clock.nowNs = 1_000_000 + 200_000_000;
    assertThat(pacer.isDue(7_000_000_000L)).isTrue();
  }

  @Test
  void shouldNotAddUpDelays() {
    Pacer pacer = new Pacer(clock, 1);
    assertThat(pacer.isDue(0)).isTrue();
    clock.nowNs += 5_000;
    assertThat(pacer.isDue(1_000)).isTrue();
    assertThat(pacer.isDue(6_000)).isFalse();
  }

  @Test
  void shouldBeginAgainWithEachPass() {
    Pacer pacer = new Pacer(clock, 1);
    assertThat(pacer.isDue(0)).isTrue();
    assertThat(pacer.isDue(1_000)).isFalse();
    pacer.restart();
    assertThat(pacer.isDue(1_000)).isTrue();
  }

  @Test
  void shouldNotWaitWhenCancelled() {
    Pacer pacer = new Pacer(clock, 1);
    assertThat(pacer.isDue(0)).isTrue();
    pacer.cancel();
    assertThat(pacer.await(Long.MAX_VALUE / 2)).isFalse();
  }
}
