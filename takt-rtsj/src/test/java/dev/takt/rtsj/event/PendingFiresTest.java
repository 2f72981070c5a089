package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.rtsj.event.PendingFires.Outcome;
import org.junit.jupiter.api.Test;

class PendingFiresTest {
  private final PendingFires fires = new PendingFires();

  private Outcome fire() {
    return PendingFires.outcomeOfFire(fires.fire());
  }

  private Outcome close(boolean discard) {
    return PendingFires.outcomeOfClose(fires.close(discard), discard);
  }

  @Test
  void shouldReportTheFirstFireOnly() {
    assertThat(fire()).isEqualTo(Outcome.READY);
    assertThat(fire()).isEqualTo(Outcome.DONE);
    assertThat(fires.count()).isEqualTo(2);
    assertThat(fires.isReady()).isTrue();
  }

  @Test
  void shouldLetOneThreadRunTheHandler() {
    fire();
    fire();
    assertThat(fires.claim()).isEqualTo(Outcome.READY);
    assertThat(fires.count()).isOne();
    assertThat(fires.claim()).isEqualTo(Outcome.DONE);
    assertThat(fire()).as("who runs it will see").isEqualTo(Outcome.DONE);
    assertThat(fires.finish()).isEqualTo(Outcome.READY);
    assertThat(fires.claim()).isEqualTo(Outcome.READY);
    assertThat(fires.finish()).isEqualTo(Outcome.READY);
    assertThat(fires.claim()).isEqualTo(Outcome.READY);
    assertThat(fires.finish()).isEqualTo(Outcome.DONE);
    assertThat(fire()).isEqualTo(Outcome.READY);
  }

  @Test
  void shouldFindNothingWhenTheFiresWereTaken() {
    fire();
    fire();
    fire();
    assertThat(fires.getAndDecrement()).isEqualTo(3);
    assertThat(fires.getAndClear()).isEqualTo(2);
    assertThat(fires.getAndDecrement()).isZero();
    assertThat(fires.claim()).isEqualTo(Outcome.DONE);
    assertThat(fires.isReady()).isFalse();
    assertThat(fire()).isEqualTo(Outcome.READY);
  }

  @Test
  void shouldEndAtOnceWhenClosedIdle() {
    assertThat(close(false)).isEqualTo(Outcome.ENDED);
    assertThat(fires.isEnded()).isTrue();
    assertThat(close(true)).as("ended already").isEqualTo(Outcome.DONE);
    assertThat(fire()).isEqualTo(Outcome.REFUSED);
    assertThat(fires.claim()).isEqualTo(Outcome.DONE);
  }

  @Test
  void shouldHandleWhatIsPendingWhenClosed() {
    fire();
    fire();
    assertThat(close(false)).isEqualTo(Outcome.DONE);
    assertThat(fire()).isEqualTo(Outcome.REFUSED);
    assertThat(fires.claim()).isEqualTo(Outcome.READY);
    assertThat(fires.finish()).isEqualTo(Outcome.READY);
    assertThat(fires.claim()).isEqualTo(Outcome.READY);
    assertThat(fires.finish()).isEqualTo(Outcome.ENDED);
    assertThat(fires.isEnded()).isTrue();
  }

  @Test
  void shouldDiscardWhatIsPendingWhenToldTo() {
    fire();
    fire();
    long before = fires.close(true);
    assertThat(PendingFires.countIn(before)).isEqualTo(2);
    assertThat(PendingFires.outcomeOfClose(before, true)).isEqualTo(Outcome.ENDED);
    assertThat(fires.isEnded()).isTrue();
    assertThat(fires.count()).isZero();
    assertThat(fires.claim()).isEqualTo(Outcome.DONE);
  }

  @Test
  void shouldEndAtOnceWhenClosedAfterItsFiresWereTaken() {
    fire();
    fires.getAndClear();
    assertThat(close(false)).isEqualTo(Outcome.ENDED);
    assertThat(fires.isEnded()).isTrue();
  }

  @Test
  void shouldEndWhenTheRunningOneFinishes() {
    fire();
    fires.claim();
    fire();
    assertThat(close(true)).isEqualTo(Outcome.DONE);
    assertThat(fires.isEnded()).isFalse();
    assertThat(fires.finish()).isEqualTo(Outcome.ENDED);
  }
}
