package dev.takt.rtsj.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.rtsj.event.AsyncEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What timers do, driven by hand: no thread, no waiting. */
class TimerEngineTest {
  private static final long TICK_NS = 100_000;
  private static final int MAX_TIMERS = 3;
  private static final long CHECK_NS = 1_000_000;

  private long nowNs = 1_000;
  private long wallNs = 1_700_000_000_000_000_000L;
  private int wakes;
  private final TimerEngine engine =
      new TimerEngine(() -> nowNs, MAX_TIMERS, CHECK_NS, () -> wakes++);
  private final TimerClock steady = TimerClock.of(() -> nowNs);
  private final TimerClock wall = new TimerClock("wall", () -> wallNs, 1, false, null);
  private final AsyncEvent event = new AsyncEvent("event");

  private Timer oneShot(long delayNs) {
    return engine.make(event, steady, true, delayNs, 0);
  }

  private Timer periodic(long delayNs, long intervalNs) {
    return engine.make(event, steady, true, delayNs, intervalNs);
  }

  private long poll(long durationNs) {
    nowNs += durationNs;
    return engine.poll();
  }

  @Test
  void shouldFireOnceWhenItsDelayHasPassedAndNotBefore() {
    Timer timer = oneShot(500);
    timer.start();
    assertThat(poll(0)).isEqualTo(1_500);
    assertThat(poll(499)).isEqualTo(1_500);
    assertThat(event.fireCount()).isZero();
    assertThat(timer.isRunning()).isTrue();
    assertThat(poll(1)).isEqualTo(TimerEngine.NEVER);
    assertThat(event.fireCount()).isOne();
    assertThat(timer.isRunning()).isFalse();
    assertThat(timer.nextFireNs()).isEqualTo(Timer.NEVER);
    poll(10_000);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldDoNothingUntilStarted() {
    Timer timer = oneShot(0);
    poll(1_000_000);
    assertThat(event.fireCount()).isZero();
    assertThat(timer.isRunning()).isFalse();
    assertThat(timer.stop()).isFalse();
    assertThat(wakes).isZero();
  }

  @Test
  void shouldCountTheDelayFromEachStart() {
    Timer timer = oneShot(500);
    timer.start();
    poll(500);
    poll(10_000);
    timer.start();
    poll(499);
    assertThat(event.fireCount()).isOne();
    poll(1);
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(timer.fireCount()).isEqualTo(2);
  }

  @Test
  void shouldFireAtAnAbsoluteTimeAlsoOneThatHasPassed() {
    engine.make(event, steady, false, 5_000, 0).start();
    poll(3_999);
    assertThat(event.fireCount()).isZero();
    poll(1);
    assertThat(event.fireCount()).isOne();
    engine.make(event, steady, false, 1, 0).start();
    poll(0);
    assertThat(event.fireCount()).isEqualTo(2);
  }

  @Test
  void shouldRefuseToStartWhileActive() {
    Timer timer = oneShot(500);
    timer.start();
    assertThatThrownBy(timer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("event is active")
        .hasMessageContaining("stop it first");
  }

  @Test
  void shouldNotFireWhenStopped() {
    Timer timer = oneShot(500);
    timer.start();
    poll(100);
    assertThat(timer.stop()).isTrue();
    assertThat(timer.stop()).isFalse();
    assertThat(poll(1_000)).isEqualTo(TimerEngine.NEVER);
    assertThat(event.fireCount()).isZero();
  }

  @Test
  void shouldNotFireWhenStoppedAfterItsTimeButBeforeThePoll() {
    Timer timer = oneShot(500);
    timer.start();
    poll(100);
    nowNs += 1_000;
    assertThat(timer.stop()).isTrue();
    poll(0);
    assertThat(event.fireCount()).isZero();
  }

  @Test
  void shouldLetTimePassWithoutFiringWhileDisabled() {
    Timer timer = periodic(TICK_NS, TICK_NS);
    timer.start();
    poll(TICK_NS);
    timer.disable();
    assertThat(timer.isRunning()).isFalse();
    poll(TICK_NS);
    poll(TICK_NS);
    assertThat(event.fireCount()).isOne();
    timer.enable();
    poll(TICK_NS);
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(timer.missedTicks()).isZero();
  }

  @Test
  void shouldEndWithoutFiringWhenDisabledAtItsTime() {
    Timer timer = oneShot(500);
    timer.startDisabled();
    poll(500);
    assertThat(event.fireCount()).isZero();
    timer.enable();
    poll(500);
    assertThat(event.fireCount()).as("its time has come and gone").isZero();
    timer.start();
    poll(500);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldReportStopOfADisabledTimerAsNotRunning() {
    Timer timer = oneShot(500);
    timer.startDisabled();
    assertThat(timer.stop()).isFalse();
    timer.start();
    assertThat(timer.stop()).isTrue();
  }

  @Test
  void shouldTickAtStartPlusMultiplesOfTheIntervalWhateverWasLate() {
    Timer timer = periodic(500, TICK_NS);
    timer.start();
    poll(0);
    assertThat(poll(500 + 77)).isEqualTo(1_500 + TICK_NS);
    assertThat(poll(TICK_NS)).isEqualTo(1_500 + 2 * TICK_NS);
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(timer.missedTicks()).isZero();
    assertThat(timer.nextFireNs()).isEqualTo(1_500 + 2 * TICK_NS);
  }

  @Test
  void shouldSkipAndCountMissedTicks() {
    Timer timer = periodic(TICK_NS, TICK_NS);
    timer.start();
    poll(0);
    // Ticks 1 to 4 have passed when it is polled: one fire, three missed.
    assertThat(poll(4 * TICK_NS + 5)).isEqualTo(1_000 + 5 * TICK_NS);
    assertThat(event.fireCount()).isOne();
    assertThat(timer.missedTicks()).isEqualTo(3);
    poll(TICK_NS);
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(timer.missedTicks()).isEqualTo(3);
  }

  @Test
  void shouldTakeANewIntervalAtTheNextTick() {
    Timer timer = periodic(TICK_NS, TICK_NS);
    timer.start();
    poll(0);
    timer.setIntervalNs(3 * TICK_NS);
    assertThat(poll(TICK_NS)).isEqualTo(1_000 + 4 * TICK_NS);
    timer.setIntervalNs(0);
    assertThat(poll(3 * TICK_NS)).isEqualTo(TimerEngine.NEVER);
    assertThat(timer.isRunning()).isFalse();
    assertThat(event.fireCount()).isEqualTo(2);
  }

  @Test
  void shouldFireAtTheNewTimeWhenRescheduledWhileActive() {
    Timer timer = oneShot(500);
    timer.start();
    poll(400);
    assertThat(timer.rescheduleAfter(1_000)).isTrue();
    assertThat(timer.nextFireNs()).isEqualTo(2_400);
    assertThat(poll(200)).isEqualTo(2_400);
    assertThat(event.fireCount()).isZero();
    assertThat(timer.rescheduleAt(1_700)).isTrue();
    poll(100);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldFireAtTheNewTimeAfterTheNextStartWhenRescheduledWhileInactive() {
    Timer timer = oneShot(500);
    assertThat(timer.rescheduleAfter(50)).isFalse();
    poll(1_000);
    assertThat(event.fireCount()).isZero();
    timer.start();
    poll(0);
    poll(50);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldWakeWhoeverPollsForEachChange() {
    Timer timer = oneShot(500);
    timer.start();
    assertThat(wakes).isOne();
    poll(0);
    timer.rescheduleAfter(10);
    assertThat(wakes).isEqualTo(2);
    timer.stop();
    assertThat(wakes).as("it is on the stack already").isEqualTo(2);
    poll(0);
    timer.close();
    assertThat(wakes).isEqualTo(3);
  }

  @Test
  void shouldRefuseTimersBeyondTheLimitAndMakeRoomWhenOneIsClosed() {
    oneShot(1);
    oneShot(2);
    Timer third = oneShot(3);
    third.start();
    poll(0);
    assertThatThrownBy(() -> oneShot(4))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("timers=4")
        .hasMessageContaining("maxTimers=3")
        .hasMessageContaining("TimerSettings.maxTimers");
    third.close();
    third.close();
    poll(0);
    assertThat(engine.timerCount()).isEqualTo(2);
    oneShot(4).start();
    poll(4);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldHaveRoomForATimerInThePlaceOfAClosedOneBeforeItIsPolled() {
    List<Timer> timers = new ArrayList<>(List.of(oneShot(1), oneShot(1), oneShot(1)));
    timers.forEach(Timer::start);
    poll(0);
    for (int i = 0; i < 3; i++) { // more often than a queue has places
      for (Timer each : List.copyOf(timers)) {
        each.close();
        timers.remove(each);
        timers.add(oneShot(1));
        timers.getLast().start();
      }
    }

    assertThat(engine.timerCount()).isEqualTo(3);
    poll(1);
    assertThat(event.fireCount()).isEqualTo(3);
  }

  @Test
  void shouldNotFireNorObeyOnceClosed() {
    Timer timer = periodic(0, TICK_NS);
    timer.start();
    timer.close();
    poll(10 * TICK_NS);
    assertThat(event.fireCount()).isZero();
    assertThat(timer.isRunning()).isFalse();
    assertThatThrownBy(timer::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(timer::stop).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(timer::enable).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> timer.rescheduleAfter(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldFollowAClockThatIsSetForward() {
    Timer timer = engine.make(event, wall, false, wallNs + 3_600_000_000_000L, 0);
    timer.start();
    assertThat(poll(0)).as("it looks at the clock again soon").isEqualTo(nowNs + CHECK_NS);
    poll(CHECK_NS);
    assertThat(event.fireCount()).isZero();
    wallNs += 3_600_000_000_000L;
    poll(CHECK_NS);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldWaitForAClockThatIsSetBack() {
    Timer timer = engine.make(event, wall, false, wallNs + 500, 0);
    timer.start();
    poll(0);
    wallNs -= 1_000_000;
    assertThat(poll(500)).isEqualTo(nowNs + CHECK_NS);
    assertThat(event.fireCount()).isZero();
    wallNs += 1_000_500;
    poll(CHECK_NS);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldLeapOverTheTicksThatAClockSetForwardHasPassed() {
    Timer timer = engine.make(event, wall, false, wallNs, TICK_NS);
    timer.start();
    poll(0);
    wallNs += 1_000_000 * TICK_NS;
    poll(0);
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(timer.missedTicks()).isEqualTo(999_999);
    assertThat(timer.nextFireNs()).isEqualTo(wallNs + TICK_NS);
  }

  @Test
  void shouldAskForAPollWhenItsTimeIsTheOneThatStandsForNever() {
    nowNs = Long.MAX_VALUE - 100;
    Timer timer = oneShot(100);
    timer.start();
    assertThat(poll(0)).isEqualTo(Long.MAX_VALUE - 1);
    poll(100);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldGoOnWhenTheClockWrapsAround() {
    nowNs = Long.MAX_VALUE - 100;
    Timer timer = periodic(50, TICK_NS);
    timer.start();
    poll(0);
    poll(50);
    assertThat(event.fireCount()).isOne();
    assertThat(poll(0)).isEqualTo(Long.MAX_VALUE - 50 + TICK_NS);
    poll(TICK_NS);
    assertThat(event.fireCount()).isEqualTo(2);
  }

  @Test
  void shouldAskForAPollWhenTheFirstOfAllClocksCallsForOne() {
    TimerClock other = TimerClock.of(() -> nowNs);
    Timer first = oneShot(500);
    Timer second = engine.make(event, other, true, 700, 0);
    first.start();
    second.start();
    assertThat(poll(0)).isEqualTo(1_500);
    first.rescheduleAfter(900);
    assertThat(poll(0)).isEqualTo(1_700);
    assertThat(poll(700)).isEqualTo(1_900);
  }

  @Test
  void shouldStayAsItIsWhenEnabledOrDisabledWhileInactive() {
    Timer timer = oneShot(500);
    timer.enable();
    assertThat(timer.isRunning()).isFalse();
    assertThat(timer.stop()).isFalse();
    assertThat(timer.nextFireNs()).isEqualTo(Timer.NEVER);
    timer.disable();
    assertThat(timer.nextFireNs()).isEqualTo(Timer.NEVER);
    timer.enable();
    timer.startDisabled();
    assertThat(timer.isRunning()).isFalse();
    poll(0);
    poll(500);
    assertThat(event.fireCount()).isZero();
    assertThat(timer.fireCount()).isZero();
  }

  @Test
  void shouldTakeTheLongestTimesAndRefuseLongerOnes() {
    long maxNs = Timer.MAX_DELAY_NS;
    assertThat(maxNs).isEqualTo(Long.MAX_VALUE / 4);
    Timer timer = periodic(maxNs, maxNs);
    timer.start();
    poll(0);
    assertThat(timer.nextFireNs()).isEqualTo(nowNs + maxNs);
    assertThat(timer.rescheduleAt(nowNs + maxNs)).isTrue();
    assertThat(timer.rescheduleAt(nowNs - maxNs)).isTrue();
    for (Runnable tooLong :
        new Runnable[] {
          () -> timer.rescheduleAfter(maxNs + 1),
          () -> timer.rescheduleAt(nowNs + maxNs + 1),
          () -> timer.rescheduleAt(nowNs - maxNs - 1),
          () -> timer.setIntervalNs(maxNs + 1),
        }) {
      assertThatThrownBy(tooLong::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("" + maxNs);
    }
    timer.setIntervalNs(Timer.MIN_INTERVAL_NS);
    assertThat(timer.intervalNs()).isEqualTo(Timer.MIN_INTERVAL_NS);
  }

  @Test
  void shouldNotFireWhenStoppedWhileTheClockIsRead() {
    Timer[] stopped = {null};
    TimerClock stopping =
        TimerClock.of(
            () -> {
              if (stopped[0] != null) {
                stopped[0].stop();
              }
              return nowNs;
            });
    Timer timer = engine.make(event, stopping, true, 500, 0);
    timer.start();
    poll(0);
    stopped[0] = timer;
    assertThat(poll(500)).isEqualTo(TimerEngine.NEVER);
    assertThat(event.fireCount()).isZero();
  }

  @Test
  void shouldMakeRoomOnceWhenToldTwiceThatATimerIsClosed() {
    oneShot(1);
    Timer timer = oneShot(2);
    timer.close();
    poll(0);
    engine.change(timer);
    poll(0);
    assertThat(engine.timerCount()).isOne();
  }

  @Test
  void shouldRefuseTimesThatCannotBe() {
    assertThatThrownBy(() -> oneShot(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delayNs=-1");
    assertThatThrownBy(() -> periodic(0, Timer.MIN_INTERVAL_NS - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("intervalNs=9999")
        .hasMessageContaining("10000");
    assertThatThrownBy(() -> oneShot(1).rescheduleAfter(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(engine.timerCount()).as("what was refused takes no room").isOne();
  }

  @Test
  void shouldRefuseTimesTooFarOffToTellWhetherTheyHavePassed() {
    for (long timeNs : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> engine.make(event, steady, false, timeNs, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeNs=" + timeNs)
          .hasMessageContaining("" + Timer.MAX_DELAY_NS)
          .hasMessageContaining("1000, which the clock shows");
    }
    Timer timer = oneShot(1);
    timer.start();
    assertThatThrownBy(() -> timer.rescheduleAt(Long.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(timer.nextFireNs()).as("what was refused changes nothing").isEqualTo(1_001);
    assertThat(timer.rescheduleAt(nowNs - Timer.MAX_DELAY_NS)).isTrue();
    poll(0);
    assertThat(event.fireCount()).isOne();
  }

  @Test
  void shouldRefuseMoreClocksThanItHasRoomFor() {
    for (int i = 0; i < TimerEngine.MAX_CLOCKS; i++) {
      TimerClock clock = TimerClock.of(() -> nowNs);
      for (int k = 0; k < 2; k++) {
        engine.make(event, clock, false, 0, 0).close();
        engine.poll();
      }
    }
    assertThatThrownBy(() -> oneShot(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("clocks=9 (limit: 8")
        .hasMessageContaining("share");
  }

  @Test
  void shouldGoOnWithOtherClocksWhenOneThrows() {
    boolean[] broken = {false};
    TimerClock outside =
        new TimerClock(
            "outside",
            () -> {
              if (broken[0]) {
                throw new IllegalStateException("the clock is broken");
              }
              return nowNs;
            },
            1,
            true,
            null);
    AsyncEvent other = new AsyncEvent("other");
    engine.make(other, outside, true, 500, 0).start();
    Timer timer = oneShot(500);
    timer.start();
    poll(0);
    broken[0] = true;
    assertThat(poll(500)).isEqualTo(nowNs + CHECK_NS);
    assertThat(event.fireCount()).isOne();
    assertThat(other.fireCount()).isZero();
    assertThat(engine.failures(outside)).isOne();
    assertThat(engine.failure(outside)).hasMessage("the clock is broken");
    assertThat(engine.failures(steady)).isZero();
    assertThat(engine.failure(steady)).isNull();
    TimerClock unknown = TimerClock.of(() -> nowNs);
    assertThat(engine.failures(unknown)).isZero();
    assertThat(engine.failure(unknown)).isNull();

    broken[0] = false;
    assertThat(poll(CHECK_NS)).isEqualTo(TimerEngine.NEVER);
    assertThat(other.fireCount()).isOne();
    assertThat(engine.failures(outside)).isOne();
  }
}
