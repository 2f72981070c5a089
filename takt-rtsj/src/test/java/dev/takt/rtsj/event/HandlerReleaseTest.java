package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalException;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers with release parameters, by a clock that the test moves. */
class HandlerReleaseTest {
  enum Kind {
    BOUND,
    POOLED
  }

  private final ManualClock clock = new ManualClock();
  private final AsyncEvent event = new AsyncEvent("event");
  private final Semaphore handled = new Semaphore(0);
  private final HandlerPool pool =
      HandlerPool.start(PoolSettings.of("pool", 1, ThreadScheduling.OTHER).withClock(clock));
  private AsyncEventHandler handler;

  private void start(Kind kind, ReleaseParameters release, HandlerLogic logic) {
    start(
        kind,
        HandlerSettings.of("handler", ThreadScheduling.OTHER).withClock(clock).withRelease(release),
        logic);
  }

  private void start(Kind kind, HandlerSettings settings, HandlerLogic logic) {
    handler =
        kind == Kind.BOUND ? BoundHandler.start(settings, logic) : pool.handler(settings, logic);
    event.addHandler(handler);
  }

  private void start(Kind kind, ReleaseParameters release) {
    start(kind, release, self -> handled.release());
  }

  @AfterEach
  void close() {
    if (handler != null) {
      handler.closeNow();
    }
    pool.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepTheMinimumInterarrivalTimeOfFiresThatAreSaved(Kind kind) throws Exception {
    start(kind, Sporadic.ofNs(1_000));
    event.fire();
    handled.acquire();
    event.fire();
    event.fire();
    clock.awaitSleepers(1);
    assertThat(handler.getPendingFireCount()).isEqualTo(2);
    clock.advance(999);
    clock.awaitSleepers(1);
    assertThat(handled.availablePermits()).isZero();
    clock.advance(1);
    handled.acquire();
    clock.awaitSleepers(1);
    assertThat(handler.handledCount()).isEqualTo(2);
    clock.advance(1_000);
    handled.acquire();
    assertThat(handler.arrivalCount(Arrival.ACCEPTED)).isOne();
    assertThat(handler.arrivalCount(Arrival.SAVED)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldDropFiresThatComeTooSoonWhenToldTo(Kind kind) throws Exception {
    start(kind, Sporadic.ofNs(1_000).withTooSoon(QueuePolicy.IGNORE));
    event.fire();
    handled.acquire();
    event.fire();
    assertThat(event.tryFire()).isTrue();
    assertThat(handler.getPendingFireCount()).isZero();
    clock.advance(1_000);
    event.fire();
    handled.acquire();
    assertThat(handler.arrivalCount(Arrival.IGNORED)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseFiresThatComeTooSoonAndReleaseTheOtherHandlers(Kind kind) throws Exception {
    start(kind, Sporadic.ofNs(1_000).withTooSoon(QueuePolicy.EXCEPT));
    Semaphore others = new Semaphore(0);
    PooledHandler other =
        pool.handler(HandlerSettings.of("other", ThreadScheduling.OTHER), self -> others.release());
    event.addHandler(other);
    event.fire();
    handled.acquire();
    assertThatThrownBy(event::fire)
        .isInstanceOf(ArrivalException.class)
        .hasMessageContaining("handler handler of the event event has refused")
        .hasMessageContaining("minInterarrivalNs=1000")
        .extracting(e -> ((ArrivalException) e).arrival())
        .isEqualTo(Arrival.REFUSED_TOO_SOON);
    assertThat(event.tryFire()).isFalse();
    others.acquire(3);
    assertThat(handler.arrivalCount(Arrival.REFUSED_TOO_SOON)).isEqualTo(2);
    handler.close();
    event.fire();
    others.acquire();
    assertThat(handler.refusedCount()).as("closed: ignored, not refused").isOne();
  }

  @ParameterizedTest
  @EnumSource
  void shouldLimitWhatIsPendingAndReplaceTheNewest(Kind kind) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        kind,
        Aperiodic.ofCapacity(2).withWhenFull(QueuePolicy.REPLACE),
        self -> {
          entered.countDown();
          go.await();
        });
    event.fire();
    entered.await();
    for (int i = 0; i < 5; i++) {
      event.fire();
    }
    assertThat(handler.getPendingFireCount()).isEqualTo(2);
    go.countDown();
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(3);
    assertThat(handler.arrivalCount(Arrival.REPLACED)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeRoomForWhatLogicTakesItself(Kind kind) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        kind,
        Aperiodic.ofCapacity(2),
        self -> {
          entered.countDown();
          go.await();
        });
    event.fire();
    entered.await();
    for (int i = 0; i < 3; i++) {
      event.fire();
      event.fire();
      assertThat(event.tryFire()).isFalse();
      assertThat(handler.getAndDecrementPendingFireCount()).isEqualTo(2);
      assertThat(handler.getAndIncrementPendingFireCount()).isOne();
      assertThat(handler.getAndClearPendingFireCount()).isEqualTo(2);
      assertThat(handler.getAndDecrementPendingFireCount()).isZero();
    }
    go.countDown();
    handler.close();
    assertThat(handler.handledCount()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCountMissesOfTheDeadlineAndOverrunsOfTheCost(Kind kind) throws Exception {
    start(
        kind,
        Aperiodic.ofCapacity(4).withDeadlineNs(100).withBudgetNs(50),
        self -> {
          clock.advance(60);
          handled.release();
        });
    event.fire();
    handled.acquire();
    while (handler.handledCount() < 1) {
      Thread.onSpinWait();
    }
    assertThat(handler.overrunCount()).isOne();
    assertThat(handler.missCount()).isZero();
    handler.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldJudgeAReleaseWithoutWhatTheFailureListenerTakes(Kind kind) {
    HandlerSettings settings =
        HandlerSettings.of("handler", ThreadScheduling.OTHER)
            .withClock(clock)
            .withRelease(Aperiodic.ofCapacity(4).withDeadlineNs(100).withBudgetNs(50))
            .withFailureHandler((self, failure) -> clock.advance(101));
    start(
        kind,
        settings,
        self -> {
          throw new IllegalStateException("on purpose");
        });
    event.fire();
    handler.close();
    assertThat(handler.failureCount()).isOne();
    assertThat(handler.missCount()).isZero();
    assertThat(handler.overrunCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCountAReleaseThatBeganLateAsAMiss(Kind kind) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    start(
        kind,
        Aperiodic.ofCapacity(4).withDeadlineNs(100),
        self -> {
          entered.countDown();
          go.await();
        });
    event.fire();
    entered.await();
    event.fire();
    clock.advance(101);
    event.fire();
    go.countDown();
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(3);
    assertThat(handler.missCount()).isEqualTo(2);
    assertThat(handler.overrunCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotWaitForSavedFiresWhenClosedNow(Kind kind) throws Exception {
    start(kind, Sporadic.ofNs(1_000));
    event.fire();
    handled.acquire();
    event.fire();
    clock.awaitSleepers(1);
    handler.closeNow();
    assertThat(handler.discardedCount()).isOne();
    assertThat(handler.handledCount()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefusePeriodicParameters(Kind kind) {
    assertThatThrownBy(() -> start(kind, Periodic.ofNs(1_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the timer that fires the event");
  }
}
