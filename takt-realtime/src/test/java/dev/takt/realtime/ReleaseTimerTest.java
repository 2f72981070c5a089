package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.os.Sleeper;
import dev.takt.testkit.Seeds;
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
      long seed = Seeds.seed();
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
  class Waking {
    @Test
    void shouldReturnEarlyAndLearnNothingWhenWoken() {
      clock.latenessNs = 20_000;
      timer.await(clock.nowNs + 1_000_000);
      long leadNs = timer.leadNs();
      clock.latenessNs = -500_000;
      assertThat(timer.awaitOrWake(clock.nowNs + 1_000_000)).isFalse();
      assertThat(timer.leadNs()).isEqualTo(leadNs);
      assertThat(clock.parks).isEqualTo(2);
    }

    @Test
    void shouldWaitUntilReleaseTimeWhenNotWoken() {
      clock.latenessNs = 20_000;
      long releaseNs = clock.nowNs + 1_000_000;
      assertThat(timer.awaitOrWake(releaseNs)).isTrue();
      assertThat(clock.nowNs).isGreaterThanOrEqualTo(releaseNs);
      assertThat(timer.awaitOrWake(clock.nowNs - 1)).isTrue();
    }

    @Test
    void shouldKeepWakeThatComesBeforeTheWait() {
      Sleeper sleeper = clock.newSleeper();
      ReleaseTimer woken = new ReleaseTimer(clock, sleeper, LeadBounds.DEFAULTS);
      sleeper.wake();
      assertThat(woken.awaitOrWake(clock.nowNs + 1_000_000)).isFalse();
      assertThat(woken.awaitOrWake(clock.nowNs + 1_000_000)).isTrue();
    }
  }

  @Nested
  class WarmingCaches {
    private int warmings;

    /** Warming its caches takes 15 us. */
    private final Sleeper sleeper =
        new Sleeper() {
          private final Sleeper asleep = clock.newSleeper();

          @Override
          public void sleepUntil(long timeNs) {
            asleep.sleepUntil(timeNs);
          }

          @Override
          public void sleep() {
            asleep.sleep();
          }

          @Override
          public void wake() {
            asleep.wake();
          }

          @Override
          public void warmCaches() {
            warmings++;
            clock.nowNs += 15_000;
          }
        };

    @Test
    void shouldWarmCachesOncePerLongWaitAndStillHitReleaseTime() {
      ReleaseTimer timer = new ReleaseTimer(clock, sleeper, LeadBounds.DEFAULTS);
      clock.latenessNs = 20_000;
      for (int i = 1; i <= 50; i++) {
        long releaseNs = clock.nowNs + 50_000_000;
        assertThat(timer.await(releaseNs)).isTrue();
        // The first wait does not know yet how late it is woken.
        assertThat(warmings).isEqualTo(i - 1);
        if (i > 1) {
          assertThat(clock.nowNs - releaseNs).isBetween(0L, 2 * StepClock.LOOK_NS);
        }
      }
    }

    @Test
    void shouldNotWarmCachesAfterShortWaits() {
      ReleaseTimer timer = new ReleaseTimer(clock, sleeper, LeadBounds.DEFAULTS);
      clock.latenessNs = 20_000;
      for (int i = 0; i < 50; i++) {
        timer.await(clock.nowNs + 150_000);
      }
      assertThat(warmings).isZero();
    }

    @Test
    void shouldNotWarmCachesWhenNothingMayBeSpun() {
      ReleaseTimer timer = new ReleaseTimer(clock, sleeper, LeadBounds.NO_SPIN);
      for (int i = 0; i < 10; i++) {
        timer.await(clock.nowNs + 50_000_000);
      }
      assertThat(warmings).isZero();
    }
  }

  @Nested
  class Spinning {
    @Test
    void shouldNeverSpinLongerThanLargestLead() {
      clock.latenessNs = 49_900;
      timer.await(clock.nowNs + 1_000_000);
      assertThat(timer.leadNs()).isBetween(49_900L, 50_000L);
      clock.latenessNs = 0;
      long beginNs = clock.nowNs;
      clock.asleepNs = 0;
      timer.await(beginNs + 1_000_000);
      assertThat(clock.nowNs - beginNs - clock.asleepNs)
          .isLessThanOrEqualTo(50_000 + 4 * StepClock.LOOK_NS);
    }

    @Test
    void shouldTellHowLongItSleptAndSpun() {
      clock.latenessNs = 20_000;
      timer.await(clock.nowNs + 150_000);
      clock.latenessNs = 5_000;
      long sleptNs = timer.sleptNs();
      long spunNs = timer.spunNs();
      long beginNs = clock.nowNs;
      timer.await(beginNs + 150_000);
      // The lead is 20 us, the wake-up 5 us late: 135 us asleep, 15 us spinning.
      assertThat(timer.sleptNs() - sleptNs).isBetween(134_900L, 135_100L);
      assertThat(timer.spunNs() - spunNs).isBetween(14_900L, 15_100L);
    }

    @Test
    void shouldSleepForLessThanTheLeadWhenSpinShareIsSpent() {
      ReleaseTimer thrifty =
          new ReleaseTimer(clock, clock.newSleeper(), new LeadBounds(0, 50_000, 0.1));
      clock.latenessNs = 40_000;
      thrifty.await(clock.nowNs + 1_000_000);
      long beginNs = clock.nowNs;
      long spunNs = thrifty.spunNs();
      long releaseNs = beginNs;
      // Never as long as the lead: without a budget it would spin all the time.
      for (int i = 0; i < 1_000; i++) {
        clock.latenessNs = i % 8 == 0 ? 40_000 : 0;
        thrifty.await(releaseNs += 30_000);
      }
      assertThat(thrifty.leadNs()).isGreaterThan(30_000);
      assertThat(thrifty.spunNs() - spunNs)
          .isGreaterThan((releaseNs - beginNs) / 20)
          .isLessThanOrEqualTo((releaseNs - beginNs) / 10 + 100_000);
    }

    @Test
    void shouldNotSpinAtAllWhenShareIsZero() {
      ReleaseTimer sleeping = new ReleaseTimer(clock, clock.newSleeper(), LeadBounds.NO_SPIN);
      clock.latenessNs = 10_000;
      for (int i = 0; i < 10; i++) {
        assertThat(sleeping.await(clock.nowNs + 100_000)).isTrue();
      }
      assertThat(sleeping.spunNs()).isZero();
    }

    @Test
    void shouldRefuseBoundsInWrongOrder() {
      assertThatThrownBy(() -> new ReleaseTimer(clock, 2, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("minLeadNs=2, maxLeadNs=1 (expected: 0 <= minLeadNs <= maxLeadNs)");
    }

    @Test
    void shouldRefuseLeadThatKernelWouldThrottle() {
      long tooLongNs = LeadBounds.MAX_LEAD_NS + 1;
      assertThatThrownBy(() -> new LeadBounds(0, tooLongNs, 0.003))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("maxLeadNs=10000001 (limit: 10000000; take less");
      for (double share : new double[] {0.001, 0.003, 0.9}) {
        LearnedLead lead = new LearnedLead(new LeadBounds(0, LeadBounds.MAX_LEAD_NS, share), 0);
        lead.woken(1_000);
        assertThat(lead.begin(Long.MAX_VALUE, 0)).isEqualTo(1_000);
      }
    }

    @Test
    void shouldRefuseShareThatKernelWouldThrottle() {
      assertThatThrownBy(() -> new LeadBounds(0, 1, 0.95))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("maxSpinShare=0.95 (expected: 0 to 0.9)");
      assertThatThrownBy(() -> new LeadBounds(0, 1, Double.NaN))
          .isInstanceOf(IllegalArgumentException.class);
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
      assertThat(holder[0].isCancelled()).isTrue();
    }

    @Test
    void shouldReturnFalseAndKeepStatusWhenInterrupted() {
      Thread.currentThread().interrupt();
      assertThat(timer.await(clock.nowNs + 1_000_000)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldReturnFalseWhenInterruptedAlsoWhenTheReleaseTimeHasPassed() {
      Thread.currentThread().interrupt();
      assertThat(timer.await(clock.nowNs - 1)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(timer.await(clock.nowNs - 1)).isTrue();
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
          .isBetween(LeadBounds.DEFAULT_MIN_LEAD_NS, LeadBounds.DEFAULT_MAX_LEAD_NS);
    }
  }
}
