package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ReleaseTimerTest {
  /** Time passes only by sleeping, which ends late, and by looking at the clock. */
  private static final class StepClock implements NanoClock {
    private static final long LOOK_NS = 10;

    long nowNs = 1_000_000;
    long latenessNs;
    long asleepNs;
    int parks;
    Runnable onPark = () -> {};

    @Override
    public long nanoTime() {
      return nowNs += LOOK_NS;
    }

    @Override
    public void parkNanos(long durationNs) {
      parks++;
      nowNs += durationNs + latenessNs;
      asleepNs += durationNs + latenessNs;
      onPark.run();
    }
  }

  private final StepClock clock = new StepClock();
  private final ReleaseTimer timer = new ReleaseTimer(clock, 1_000, 50_000);

  @Nested
  class Waiting {
    @Test
    void shouldNeverReturnBeforeReleaseTime() {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      long releaseNs = clock.nowNs;
      for (int i = 0; i < 10_000; i++) {
        clock.latenessNs = random.nextInt(100_000);
        releaseNs = Math.max(releaseNs, clock.nowNs - 50_000) + random.nextInt(200_000);
        assertThat(timer.await(releaseNs)).isTrue();
        assertThat(clock.nowNs)
            .as("seed %d, release %d", seed, i)
            .isGreaterThanOrEqualTo(releaseNs);
      }
    }

    @Test
    void shouldReturnAtOnceWhenReleaseTimeHasPassed() {
      assertThat(timer.await(clock.nowNs - 1)).isTrue();
      assertThat(clock.parks).isZero();
    }

    @Test
    void shouldHitReleaseTimeWhenLatenessIsSteady() {
      clock.latenessNs = 20_000;
      long releaseNs = clock.nowNs;
      long lateNs = 0;
      for (int i = 0; i < 10; i++) {
        releaseNs += 1_000_000;
        timer.await(releaseNs);
        lateNs = clock.nowNs - releaseNs;
      }
      assertThat(lateNs).isLessThanOrEqualTo(2 * StepClock.LOOK_NS);
    }

    @Test
    void shouldSleepAgainWhenWokenEarly() {
      NanoClock early =
          new NanoClock() {
            @Override
            public long nanoTime() {
              return clock.nanoTime();
            }

            @Override
            public void parkNanos(long durationNs) {
              clock.parks++;
              clock.nowNs += durationNs / 2;
            }
          };
      long releaseNs = clock.nowNs + 1_000_000;
      assertThat(new ReleaseTimer(early, 1_000, 50_000).await(releaseNs)).isTrue();
      assertThat(clock.nowNs).isGreaterThanOrEqualTo(releaseNs);
      assertThat(clock.parks).isGreaterThan(1);
    }
  }

  @Nested
  class Lead {
    @Test
    void shouldRiseAtOnceToObservedLateness() {
      clock.latenessNs = 30_000;
      timer.await(clock.nowNs + 1_000_000);
      assertThat(timer.leadNs()).isBetween(30_000L, 30_000L + StepClock.LOOK_NS);
    }

    @Test
    void shouldFallSlowlyWhenLatenessFalls() {
      clock.latenessNs = 30_000;
      timer.await(clock.nowNs + 1_000_000);
      clock.latenessNs = 0;
      timer.await(clock.nowNs + 1_000_000);
      assertThat(timer.leadNs()).isBetween(29_000L, 29_990L);
      for (int i = 0; i < 1_000; i++) {
        timer.await(clock.nowNs + 1_000_000);
      }
      assertThat(timer.leadNs()).isEqualTo(1_000);
    }

    @Test
    void shouldNeverSpinLongerThanLargestLead() {
      clock.latenessNs = 10_000_000;
      timer.await(clock.nowNs + 1_000_000);
      assertThat(timer.leadNs()).isEqualTo(50_000);
      clock.latenessNs = 0;
      long beginNs = clock.nowNs;
      clock.asleepNs = 0;
      timer.await(beginNs + 1_000_000);
      assertThat(clock.nowNs - beginNs - clock.asleepNs)
          .isLessThanOrEqualTo(50_000 + 4 * StepClock.LOOK_NS);
    }

    @Test
    void shouldRefuseBoundsInWrongOrder() {
      assertThatThrownBy(() -> new ReleaseTimer(clock, 2, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("minLeadNs=2, maxLeadNs=1 (expected: 0 <= minLeadNs <= maxLeadNs)");
    }
  }

  @Nested
  class Ending {
    @Test
    void shouldReturnFalseWhenCancelledBeforeWaiting() {
      timer.cancel();
      assertThat(timer.await(clock.nowNs + 1_000_000)).isFalse();
      assertThat(timer.await(clock.nowNs - 1)).isFalse();
      assertThat(clock.parks).isZero();
    }

    @Test
    void shouldReturnFalseWhenCancelledWhileSpinning() {
      ReleaseTimer[] holder = new ReleaseTimer[1];
      int[] looks = {0};
      holder[0] =
          new ReleaseTimer(
              () -> {
                if (++looks[0] == 5) {
                  holder[0].cancel();
                }
                return 0;
              },
              1_000,
              1_000);
      assertThat(holder[0].await(500)).isFalse();
      assertThat(looks[0]).isEqualTo(5);
    }

    @Test
    void shouldReturnFalseAndKeepStatusWhenInterrupted() {
      Thread.currentThread().interrupt();
      assertThat(timer.await(clock.nowNs + 1_000_000)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldWakeSleepingThreadWhenCancelled() throws InterruptedException {
      CountDownLatch parking = new CountDownLatch(1);
      NanoClock system =
          new NanoClock() {
            @Override
            public long nanoTime() {
              return System.nanoTime();
            }

            @Override
            public void parkNanos(long durationNs) {
              parking.countDown();
              NanoClock.super.parkNanos(durationNs);
            }
          };
      ReleaseTimer sleeping = new ReleaseTimer(system);
      boolean[] released = {true};
      Thread thread =
          new Thread(() -> released[0] = sleeping.await(System.nanoTime() + 3_600_000_000_000L));
      thread.start();
      parking.await();
      sleeping.cancel();
      thread.join();
      assertThat(released[0]).isFalse();
    }

    @Test
    void shouldWaitByTheMachinesClock() {
      ReleaseTimer real = new ReleaseTimer(NanoClock.system());
      long releaseNs = NanoClock.system().nanoTime() + 2_000_000;
      assertThat(real.await(releaseNs)).isTrue();
      assertThat(NanoClock.system().nanoTime() - releaseNs).isNotNegative();
      assertThat(real.leadNs())
          .isBetween(ReleaseTimer.DEFAULT_MIN_LEAD_NS, ReleaseTimer.DEFAULT_MAX_LEAD_NS);
    }
  }
}
