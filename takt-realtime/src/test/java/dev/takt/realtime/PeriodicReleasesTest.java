package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The arithmetic of periodic releases at its borders, where one nanosecond decides. */
class PeriodicReleasesTest {
  private static final long ORIGIN_NS = 1_000;

  /** Time passes only while someone waits, and as the body says. */
  private static final class StepClock implements NanoClock {
    private long nowNs = ORIGIN_NS;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      nowNs += Math.max(0, durationNs);
    }

    @Override
    public void onSpinWait(long timeNs) {
      nowNs = Math.max(nowNs, timeNs);
    }
  }

  @Nested
  class Rule {
    private PeriodicReleases releases(Periodic parameters) {
      return new PeriodicReleases(parameters, ORIGIN_NS);
    }

    @Test
    void shouldSkipPeriodWhoseDeadlineIsNowAndNotOneNanosecondBefore() {
      Periodic parameters = Periodic.ofNs(100).withDeadlineNs(40);
      PeriodicReleases early = releases(parameters);
      assertThat(early.end(ORIGIN_NS + 139)).isZero();
      assertThat(early.nextNs()).isEqualTo(ORIGIN_NS + 100);
      PeriodicReleases late = releases(parameters);
      assertThat(late.end(ORIGIN_NS + 140)).isEqualTo(1);
      assertThat(late.nextNs()).isEqualTo(ORIGIN_NS + 200);
    }

    @Test
    void shouldAddThePhaseOnceAlsoWhenPeriodsAreSkipped() {
      PeriodicReleases releases = releases(Periodic.ofNs(100).withPhaseNs(30));
      assertThat(releases.nextNs()).isEqualTo(ORIGIN_NS + 30);
      assertThat(releases.end(ORIGIN_NS + 60)).isZero();
      assertThat(releases.nextNs()).isEqualTo(ORIGIN_NS + 130);
      assertThat(releases.end(ORIGIN_NS + 755)).isEqualTo(5);
      assertThat(releases.nextNs()).isEqualTo(ORIGIN_NS + 730);
      assertThat(releases.end(ORIGIN_NS + 760)).isZero();
      assertThat(releases.nextNs()).isEqualTo(ORIGIN_NS + 830);
    }

    @Test
    void shouldSkipNothingWhenCatchingUp() {
      PeriodicReleases releases =
          releases(Periodic.ofNs(100).withLatePolicy(LatePolicy.CATCH_UP).withPhaseNs(30));
      assertThat(releases.end(ORIGIN_NS + 1_000)).isZero();
      assertThat(releases.nextNs()).isEqualTo(ORIGIN_NS + 130);
    }
  }

  @Nested
  class Judgement {
    private final StepClock clock = new StepClock();
    private final List<Long> releasedNs = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();

    /** Runs a thread whose releases end at these times. */
    private ReleaseCounts run(Periodic parameters, long... endsNs) throws InterruptedException {
      RealtimeThread thread =
          RealtimeThread.builder("judged")
              .clock(clock)
              .release(parameters)
              .onMiss((self, release, lateNs) -> missed.add(release + " by " + lateNs))
              .body(
                  self -> {
                    releasedNs.add(self.releaseNs() - ORIGIN_NS);
                    clock.nowNs = ORIGIN_NS + endsNs[(int) self.releaseNumber() - 1];
                    if (self.releaseNumber() == endsNs.length) {
                      self.stop();
                    }
                  })
              .build();
      thread.startAt(ORIGIN_NS);
      thread.join();
      return thread.counts();
    }

    @Test
    void shouldNotMissWhenEndedExactlyAtTheDeadline() throws InterruptedException {
      run(Periodic.ofNs(1_000).withDeadlineNs(400), 400, 1_401, 2_400);
      assertThat(releasedNs).containsExactly(0L, 1_000L, 2_000L);
      assertThat(missed).containsExactly("2 by 1");
    }

    @Test
    void shouldMeasureTheDeadlineFromTheReleaseTimeWhenTheReleaseBeginsLate()
        throws InterruptedException {
      run(Periodic.ofNs(1_000), 1_200, 2_100, 2_200);
      assertThat(releasedNs).containsExactly(0L, 1_000L, 2_000L);
      assertThat(missed).containsExactly("1 by 200", "2 by 100");
    }

    @Test
    void shouldKeepThePhaseWhenPeriodsAreSkipped() throws InterruptedException {
      ReleaseCounts counts = run(Periodic.ofNs(1_000).withPhaseNs(300), 5_600, 5_700, 6_400);
      assertThat(releasedNs).containsExactly(300L, 5_300L, 6_300L);
      assertThat(counts.skipped()).isEqualTo(4);
    }
  }
}
