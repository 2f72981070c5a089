package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The arithmetic of periodic releases at its borders, where one nanosecond decides. */
class PeriodicReleasesTest {
  private static final long ORIGIN_NS = 1_000;

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
