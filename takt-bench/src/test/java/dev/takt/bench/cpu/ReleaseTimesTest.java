package dev.takt.bench.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What counts as a delay and as an inter-arrival time, also where releases are missing. */
class ReleaseTimesTest {
  private static ReleaseTimes times(int periods, long until, long[] due, long[] begin, long[] end) {
    return new ReleaseTimes(10, periods, due, begin, end, until);
  }

  @Test
  void shouldCountTheDelayUntilTheEndOfEachRelease() {
    ReleaseTimes times =
        times(3, 25, new long[] {0, 10, 20}, new long[] {1, 12, 20}, new long[] {3, 16, 25});

    assertThat(times.delaysNs()).containsExactly(3, 6, 5);
    assertThat(times.later(5)).isEqualTo(2);
    assertThat(times.latenessNs()).containsExactly(1, 2, 0);
    assertThat(times.busyNs()).containsExactly(2, 4, 5);
    assertThat(times.beginGapsNs()).containsExactly(11, 8);
    assertThat(times.endGapsNs()).containsExactly(13, 9);
  }

  @Test
  void shouldGiveSkippedDueTimesTheDelayOfTheNextRelease() {
    ReleaseTimes times = times(4, 36, new long[] {0, 30}, new long[] {0, 35}, new long[] {1, 36});

    assertThat(times.delaysNs()).containsExactly(1, 26, 16, 6);
  }

  @Test
  void shouldCountWhatHasNotComeByTheEndAsComingThen() {
    ReleaseTimes stalled = times(4, 90, new long[] {0}, new long[] {0}, new long[] {1});

    assertThat(stalled.delaysNs()).containsExactly(1, 80, 70, 60);
    assertThat(stalled.beginGapsNs()).containsExactly(90);

    ReleaseTimes nothing = times(2, 90, new long[0], new long[0], new long[0]);

    assertThat(nothing.delaysNs()).containsExactly(90, 80);
    assertThat(nothing.beginGapsNs()).containsExactly(90);
  }

  @Test
  void shouldNoteReleasesUntilAllPeriodsThatCountAreOver() throws InterruptedException {
    AtomicInteger looks = new AtomicInteger();
    ReleaseLog log = new ReleaseLog(10, 1, 3, looks::incrementAndGet);
    for (long due : new long[] {90, 100, 110, 130, 140}) {
      log.released(due, due + 1, due + 2);
    }

    assertThat(log.await()).isTrue();
    assertThat(looks).as("at the first, and at the end").hasValue(2);
    ReleaseTimes times = log.times(999);
    assertThat(times.dueNs()).containsExactly(0, 10, 30);
    assertThat(times.delaysNs()).as("one was skipped").containsExactly(2, 2, 12);
    assertThat(times.untilNs()).as("what came later does not matter").isEqualTo(32);
  }

  @Test
  void shouldCountAnInterArrivalTimeOfSeveralPeriodsAsOftenAsThat() {
    long ms = 1_000_000;

    assertThat(MultitaskRows.outsidePercent(new long[] {100 * ms, 111 * ms, 89 * ms})).isZero();
    assertThat(MultitaskRows.outsidePercent(new long[] {100 * ms, 112 * ms})).isEqualTo(50);
    assertThat(MultitaskRows.outsidePercent(new long[] {100 * ms, 300 * ms})).isEqualTo(75);
  }
}
