package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Sporadic;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.rtsj.event.AsyncEventHandler;
import dev.takt.rtsj.event.BoundHandler;
import dev.takt.rtsj.event.HandlerPool;
import dev.takt.rtsj.event.HandlerSettings;
import dev.takt.rtsj.event.PoolSettings;
import dev.takt.rtsj.timer.Timer;
import dev.takt.rtsj.timer.TimerClock;
import dev.takt.rtsj.timer.TimerService;
import dev.takt.rtsj.timer.TimerSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Timers, events and handlers with their threads, by a clock that jumps from wake-up to wake-up.
 */
@ExtendWith(LeakCheck.class)
@SuppressWarnings("try") // resources are there to be closed
class VirtualTimerTest {
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final long MS_NS = 1_000_000;

  private final VirtualClock clock = new VirtualClock(5);
  private final AsyncEvent event = new AsyncEvent("event");
  private final List<Long> handledAtNs = Collections.synchronizedList(new ArrayList<>());
  private final TimerService service =
      TimerService.start(TimerSettings.of("timers", ThreadScheduling.OTHER).withClock(clock));

  private BoundHandler bound(HandlerSettings settings) {
    BoundHandler handler =
        BoundHandler.start(settings.withClock(clock), self -> handledAtNs.add(clock.nanoTime()));
    event.addHandler(handler);
    return handler;
  }

  private static HandlerSettings settings() {
    return HandlerSettings.of("handler", ThreadScheduling.OTHER);
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void shouldTickForAnHourAtTheExactTimes() throws InterruptedException {
    try (BoundHandler handler = bound(settings());
        Timer timer = service.periodic(event, 7, 1_000 * MS_NS)) {
      timer.start();
      clock.runUntil(HOUR_NS, 2);
      assertThat(handledAtNs)
          .containsExactlyElementsOf(
              LongStream.range(0, 3_600).mapToObj(i -> 12 + i * 1_000 * MS_NS).toList());
      assertThat(timer.missedTicks()).isZero();
      assertThat(handler.handledCount()).isEqualTo(3_600);
    }
  }

  @Test
  void shouldReleasePooledHandlersByTimers() throws InterruptedException {
    try (HandlerPool pool =
        HandlerPool.start(PoolSettings.of("pool", 2, ThreadScheduling.OTHER).withClock(clock))) {
      AsyncEventHandler handler =
          pool.handler(settings(), self -> handledAtNs.add(clock.nanoTime()));
      event.addHandler(handler);
      Timer once = service.after(event, 3 * MS_NS);
      Timer at = service.at(event, TimerClock.of(clock), 2 * MS_NS);
      once.start();
      at.start();
      clock.runUntil(10 * MS_NS, 3);
      assertThat(handledAtNs).containsExactly(2 * MS_NS, 3 * MS_NS + 5);
      assertThat(once.isRunning()).isFalse();
    }
  }

  @Test
  void shouldFollowTheWallClockWhenItIsSetForward() throws InterruptedException {
    long[] offsetNs = {1_000 * HOUR_NS};
    TimerClock wall = new TimerClock("wall", () -> clock.nanoTime() + offsetNs[0], 1, false, null);
    try (BoundHandler handler = bound(settings());
        Timer timer = service.at(event, wall, 1_002 * HOUR_NS)) {
      timer.start();
      clock.runUntil(HOUR_NS / 3_600, 2);
      assertThat(handledAtNs).isEmpty();
      offsetNs[0] += 2 * HOUR_NS;
      clock.runUntil(HOUR_NS / 1_800, 2);
      assertThat(handledAtNs).hasSize(1);
      assertThat(handledAtNs.getFirst() - HOUR_NS / 3_600)
          .as("noticed at the next look")
          .isBetween(0L, service.settings().clockCheckNs());
    }
  }

  @Test
  void shouldKeepFiresApartThatATimerBringsTooFast() throws InterruptedException {
    try (BoundHandler handler = bound(settings().withRelease(Sporadic.ofNs(3 * MS_NS)));
        Timer timer = service.periodic(event, 0, MS_NS)) {
      timer.start();
      clock.runUntil(2 * MS_NS, 2);
      timer.stop();
      clock.runUntil(20 * MS_NS, 2);
      assertThat(handledAtNs).containsExactly(5L, 3 * MS_NS + 5);
      assertThat(handler.missCount()).isZero();
    }
  }

  @Test
  void shouldSpinForABoundedTimeBeforeItSleeps() throws InterruptedException {
    try (BoundHandler handler = bound(settings().withSpinNs(1_000));
        Timer timer = service.periodic(event, 0, MS_NS)) {
      timer.start();
      clock.runUntil(10 * MS_NS, 2);
      assertThat(handler.handledCount()).isEqualTo(10);
    }
  }
}
