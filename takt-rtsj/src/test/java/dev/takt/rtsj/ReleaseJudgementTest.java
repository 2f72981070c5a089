package dev.takt.rtsj;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Periodic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a thread makes of a release that ends late, where one nanosecond decides. */
class ReleaseJudgementTest {
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
