package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.LatePolicy;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.PeriodicReleases;
import dev.takt.rtsj.RealtimeThread;
import dev.takt.testkit.PeriodicModel.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All small schedules of a periodic thread, against {@link PeriodicModel}. */
@ExtendWith(LeakCheck.class)
class PeriodicReleasesTest {
  private static final long[] DURATIONS = {0, 1, 2, 5, 9};
  private static final long[] LATENESSES = {0, 3};
  private static final long[] NEVER_LATE = {0, 0, 0, 0};

  @Test
  void shouldReleaseAsTheModelInAllSmallSchedules() {
    long[] cases = {0};
    forEachParameters(
        4,
        parameters -> {
          for (long readyNs = 0; readyNs <= 7; readyNs += 7) {
            long ready = readyNs;
            Sequences.forEach(
                DURATIONS,
                3,
                durations ->
                    Sequences.forEach(
                        LATENESSES,
                        3,
                        lateness -> {
                          cases[0]++;
                          List<Release> expected =
                              PeriodicModel.run(parameters, ready, lateness, durations);
                          List<Release> actual = run(parameters, ready, lateness, durations);
                          if (!actual.equals(expected)) {
                            assertThat(actual)
                                .as(
                                    "%s ready at %d, durations %s, woken late by %s",
                                    parameters,
                                    ready,
                                    Arrays.toString(durations),
                                    Arrays.toString(lateness))
                                .isEqualTo(expected);
                          }
                        }));
          }
        });
    assertThat(cases[0]).isGreaterThan(300_000);
  }

  /** The same with a whole thread, handlers and counters, by a virtual clock. */
  @Test
  void shouldRunThreadsAsTheModelInAllSmallSchedules() {
    List<Runnable> cases = new ArrayList<>();
    forEachParameters(
        3,
        parameters ->
            Sequences.forEach(
                new long[] {0, 2, 7},
                3,
                durations -> cases.add(() -> compareThread(parameters, durations.clone()))));
    cases.forEach(Runnable::run);
    assertThat(cases).hasSizeGreaterThan(3_000);
  }

  @Test
  void shouldLeapOverManyPeriodsInOneStep() {
    PeriodicReleases releases = new PeriodicReleases(Periodic.ofNs(1_000), 500);
    assertThat(releases.end(1_000_000_000_000L)).isEqualTo(999_999_998L);
    assertThat(releases.nextNs()).isEqualTo(999_999_999_500L);
  }

  @Test
  void shouldWorkWhenClockPassesTheLargestValue() {
    long originNs = Long.MAX_VALUE - 5;
    PeriodicReleases releases = new PeriodicReleases(Periodic.ofNs(10), originNs);
    assertThat(releases.end(originNs + 3)).isZero();
    assertThat(releases.nextNs()).isEqualTo(originNs + 10);
    assertThat(releases.end(originNs + 45)).isEqualTo(2);
    assertThat(releases.nextNs()).isEqualTo(originNs + 40);
  }

  private static List<Release> run(
      Periodic parameters, long readyNs, long[] lateNs, long[] durationsNs) {
    PeriodicReleases releases = new PeriodicReleases(parameters, 0);
    List<Release> result = new ArrayList<>();
    long nowNs = readyNs;
    for (int i = 0; i < durationsNs.length; i++) {
      long releaseNs = releases.nextNs();
      long beginNs = nowNs < releaseNs ? releaseNs + lateNs[i] : nowNs;
      nowNs = beginNs + durationsNs[i];
      boolean missed = parameters.tardinessNs(releaseNs, nowNs) > 0;
      result.add(new Release(releaseNs, beginNs, nowNs, missed, releases.end(nowNs)));
    }
    return result;
  }

  private static void compareThread(Periodic parameters, long[] durationsNs) {
    List<Release> expected = PeriodicModel.run(parameters, 0, NEVER_LATE, durationsNs);
    List<List<Long>> begun = new ArrayList<>();
    List<Long> missed = new ArrayList<>();
    VirtualClock clock = new VirtualClock();
    RealtimeThread thread =
        RealtimeThread.builder("model")
            .clock(clock)
            .lead(LeadBounds.DEFAULTS)
            .release(parameters)
            .onMiss((self, release, lateNs) -> missed.add(lateNs))
            .body(
                self -> {
                  begun.add(List.of(self.releaseNs(), self.beginNs()));
                  clock.advance(durationsNs[(int) self.releaseNumber() - 1]);
                  if (self.releaseNumber() == durationsNs.length) {
                    self.stop();
                  }
                })
            .build();
    thread.startAt(0);
    try {
      clock.runToEnd(thread.thread());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(begun)
        .as("%s, durations %s", parameters, Arrays.toString(durationsNs))
        .isEqualTo(expected.stream().map(r -> List.of(r.releaseNs(), r.beginNs())).toList());
    assertThat(missed)
        .as("%s, durations %s", parameters, Arrays.toString(durationsNs))
        .isEqualTo(
            expected.stream()
                .filter(Release::missed)
                .map(r -> r.endNs() - r.releaseNs() - parameters.deadlineNs())
                .toList());
    assertThat(thread.counts().misses()).isEqualTo(missed.size());
    assertThat(thread.counts().skipped())
        .isEqualTo(expected.stream().mapToLong(Release::skipped).sum());
    assertThat(thread.counts().overruns())
        .isEqualTo(
            parameters.budgetNs() == 0
                ? 0
                : Arrays.stream(durationsNs).filter(each -> each > parameters.budgetNs()).count());
  }

  private static void forEachParameters(long upTo, Consumer<Periodic> each) {
    for (LatePolicy policy : LatePolicy.values()) {
      for (long periodNs = 1; periodNs <= upTo; periodNs++) {
        for (long phaseNs = 0; phaseNs <= upTo; phaseNs++) {
          for (long deadlineNs = 1; deadlineNs <= upTo + 2; deadlineNs++) {
            long budgetNs = (periodNs + phaseNs + deadlineNs) % 4;
            each.accept(new Periodic(periodNs, phaseNs, deadlineNs, budgetNs, policy));
          }
        }
      }
    }
  }
}
