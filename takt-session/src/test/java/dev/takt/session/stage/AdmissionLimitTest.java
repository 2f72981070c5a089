package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdmissionLimitTest {
  private static final long MS = 1_000_000;

  private final AdmissionLimit limit = new AdmissionLimit(20 * MS, 2, 1_000, 0);
  private long nowNs;

  /** Handles items that took so long from acceptance, all accepted after the last change. */
  private void responded(int items, long responseNs) {
    for (int i = 0; i < items; i++) {
      nowNs += responseNs;
      limit.responded(nowNs - responseNs, nowNs);
    }
  }

  @Test
  void shouldBoundNothingButTheCapacityUntilABatchWasHandled() {
    assertThat(limit.limit()).isEqualTo(1_000);
  }

  @Test
  void shouldBeWhatTheWorkersHandleWithinTheTarget() {
    limit.served(1, MS);
    assertThat(limit.limit()).isEqualTo(40);
    for (int i = 0; i < 1_000; i++) {
      limit.served(4, MS);
    }
    assertThat(limit.limit()).isBetween(159, 160);
  }

  @Test
  void shouldNeverBeBelowTheWorkersNorAboveWhatFits() {
    limit.served(1, 1_000 * MS);
    assertThat(limit.limit()).isEqualTo(2);
    limit.served(1_000_000, 1);
    assertThat(limit.limit()).isEqualTo(1_000);
  }

  @Test
  void shouldFallWhenTheMeasuredPercentileIsAboveTheTarget() {
    limit.served(1, MS);
    responded(AdmissionLimit.SAMPLES, 80 * MS);
    assertThat(limit.limit()).isBetween(19, 20);
  }

  @Test
  void shouldRiseOnlyIfItHasRefusedSomething() {
    limit.served(1, MS);
    responded(AdmissionLimit.SAMPLES, 16 * MS);
    assertThat(limit.limit()).isEqualTo(40);
    limit.shed();
    responded(AdmissionLimit.SAMPLES, 16 * MS);
    assertThat(limit.limit()).isBetween(43, 45);
  }

  @Test
  void shouldNotLearnFromItemsThatWereAcceptedBeforeTheLastChange() {
    limit.served(1, MS);
    responded(AdmissionLimit.SAMPLES, 80 * MS);
    int changed = limit.limit();
    for (int i = 0; i < 10 * AdmissionLimit.SAMPLES; i++) {
      limit.responded(nowNs - MS, nowNs + 100 * MS);
    }
    assertThat(limit.limit()).isEqualTo(changed);
  }

  @Test
  void shouldNotBoundWithoutATarget() {
    AdmissionLimit none = new AdmissionLimit(0, 2, 1_000, 0);
    none.served(1, 1_000 * MS);
    none.shed();
    for (int i = 0; i < 1_000; i++) {
      none.responded(1, 1_000 * MS);
    }
    assertThat(none.limit()).isEqualTo(1_000);
  }
}
