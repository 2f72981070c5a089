package dev.takt.rtsj.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.rtsj.event.BoundHandler;
import dev.takt.rtsj.event.HandlerSettings;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Timers on their thread, by the machine's clocks; what they do in detail, the engine's test says.
 */
@SuppressWarnings("try") // resources are there to be closed
class TimerServiceTest {
  private static final long TICK_NS = 100_000;

  private final AsyncEvent event = new AsyncEvent("event");
  private final Semaphore handled = new Semaphore(0);
  private final AtomicLong handledAtNs = new AtomicLong();
  private final BoundHandler handler =
      BoundHandler.start(
          HandlerSettings.of("handler", ThreadScheduling.OTHER),
          self -> {
            handledAtNs.set(NanoClock.system().nanoTime());
            handled.release();
          });
  private final TimerService service =
      TimerService.start(TimerSettings.of("timers", ThreadScheduling.OTHER).withMaxTimers(2));

  TimerServiceTest() {
    event.addHandler(handler);
  }

  @AfterEach
  void close() {
    service.close();
    handler.close();
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .noneMatch(name -> name.equals("handler") || name.equals("timers"));
  }

  @Test
  void shouldRefuseToStartATimerWhenTheServiceIsClosed() {
    try (Timer timer = service.after(event, TICK_NS)) {
      service.close();
      for (Runnable start : List.<Runnable>of(timer::start, timer::startDisabled)) {
        assertThatThrownBy(start::run)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("the service of the timer of event is closed");
      }
      assertThat(timer.isRunning()).isFalse();
      assertThat(timer.stop()).isFalse();
    }
    assertThat(event.fireCount()).isZero();
  }

  @Test
  void shouldFireAfterTheDelayEachTimeItIsStarted() throws InterruptedException {
    try (Timer timer = service.after(event, TICK_NS)) {
      for (int i = 1; i <= 5; i++) {
        long startNs = NanoClock.system().nanoTime();
        timer.start();
        handled.acquire();
        assertThat(handledAtNs.get() - startNs).isGreaterThanOrEqualTo(TICK_NS);
        assertThat(timer.isRunning()).isFalse();
      }
      assertThat(timer.fireCount()).isEqualTo(5);
    }
  }

  @Test
  void shouldFireForTheFirstTimeAfterTheDelayWhenPeriodic() throws InterruptedException {
    try (Timer timer = service.periodic(event, 20 * TICK_NS, TICK_NS)) {
      long startNs = NanoClock.system().nanoTime();
      timer.start();
      handled.acquire();
      assertThat(handledAtNs.get() - startNs).isGreaterThanOrEqualTo(20 * TICK_NS);
    }
  }

  @Test
  void shouldCountTheDelayOfAPeriodicTimerFromItsStart() {
    long hourNs = 3_600_000_000_000L;
    try (Timer timer = service.periodic(event, hourNs, hourNs)) {
      long startNs = NanoClock.system().nanoTime();
      timer.start();
      assertThat(timer.nextFireNs() - startNs).isGreaterThanOrEqualTo(hourNs);
    }
  }

  @Test
  void shouldTellWhatTheReadingOfAClockHasThrown() {
    AtomicBoolean broken = new AtomicBoolean();
    IllegalStateException thrown = new IllegalStateException("broken");
    TimerClock breaking =
        TimerClock.of(
            () -> {
              if (broken.get()) {
                throw thrown;
              }
              return 0;
            });
    TimerClock other = TimerClock.of(() -> 0);
    try (Timer timer = service.at(event, breaking, TICK_NS)) {
      timer.start();
      assertThat(service.clockFailures(breaking)).isZero();
      assertThat(service.clockFailure(breaking)).isEmpty();
      broken.set(true);
      while (service.clockFailure(breaking).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(service.clockFailure(breaking)).containsSame(thrown);
      assertThat(service.clockFailures(breaking)).isPositive();
      assertThat(service.clockFailures(other)).isZero();
    }
  }

  /** A clock that holds up the thread that reads it, once it is shut. */
  private static final class Gate {
    final Semaphore readers = new Semaphore(0);
    final CountDownLatch open = new CountDownLatch(1);
    volatile Thread reader;
    volatile boolean shut;

    TimerClock clock() {
      return TimerClock.of(
          () -> {
            if (shut) {
              reader = Thread.currentThread();
              readers.release();
              boolean waits = true;
              while (waits) {
                try {
                  open.await();
                  waits = false;
                } catch (InterruptedException _) {
                  // It goes on when it may.
                }
              }
            }
            return 0;
          });
    }

    /** Lets the thread of a service come here. */
    void hold(TimerService service, AsyncEvent event) throws InterruptedException {
      Timer timer = service.at(event, clock(), TICK_NS);
      timer.start();
      shut = true;
      service.after(event, 0).start(); // so that it looks
      readers.acquire();
    }
  }

  @Test
  void shouldKeepTheInterruptOfWhoEndsIt() throws InterruptedException {
    Gate gate = new Gate();
    gate.hold(service, event);
    Thread.currentThread().interrupt();
    service.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(gate.reader.isAlive()).isTrue();
    assertThatThrownBy(() -> service.after(event, 1)).hasMessageContaining("is closed");
    gate.open.countDown();
  }

  @Test
  void shouldWaitForTheEndOfItsThreadWhenClosed() throws InterruptedException {
    Gate gate = new Gate();
    gate.hold(service, event);
    Thread closer = Thread.currentThread();
    AtomicBoolean closed = new AtomicBoolean();
    Thread opener =
        Thread.startVirtualThread(
            () -> {
              while (closer.getState() != Thread.State.WAITING && !closed.get()) {
                Thread.yield();
              }
              gate.open.countDown();
            });
    service.close();
    boolean alive = gate.reader.isAlive();
    closed.set(true);
    opener.join();
    assertThat(alive).isFalse();
  }

  /** Time passes only by sleeping until a time; each sleep is written down when it begins. */
  private static final class SleepClock implements NanoClock {
    final BlockingQueue<String> sleeps = new LinkedBlockingQueue<>();
    private final Semaphore wakes = new Semaphore(0);
    private volatile long nowNs = 1_000;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public Sleeper newSleeper() {
      return new Sleeper() {
        @Override
        public void sleepUntil(long timeNs) {
          nowNs = timeNs;
          sleeps.add("until " + timeNs);
        }

        @Override
        public void sleep() {
          sleeps.add("until woken");
          wakes.acquireUninterruptibly();
          wakes.drainPermits();
        }

        @Override
        public void wake() {
          wakes.release();
        }
      };
    }
  }

  @Test
  void shouldSleepUntilItsNextTimeAndUntilWokenWhenThereIsNone() throws InterruptedException {
    SleepClock clock = new SleepClock();
    TimerSettings settings =
        TimerSettings.of("sleeping", ThreadScheduling.OTHER)
            .withLead(LeadBounds.NO_SPIN)
            .withClockCheckNs(TICK_NS)
            .withClock(clock);
    assertThat(settings.clockCheckNs()).isEqualTo(TICK_NS);
    TimerClock wall = new TimerClock("wall", clock::nanoTime, 1, false, null);
    try (TimerService sleeping = TimerService.start(settings)) {
      assertThat(clock.sleeps.take()).isEqualTo("until woken");
      sleeping.after(event, 500).start();
      assertThat(clock.sleeps.take()).isEqualTo("until 1500");
      assertThat(clock.sleeps.take()).isEqualTo("until woken");
      assertThat(event.fireCount()).isOne();
      sleeping.at(event, wall, 1_500 + TICK_NS + 1).start();
      assertThat(clock.sleeps.take()).isEqualTo("until " + (1_500 + TICK_NS));
      assertThat(clock.sleeps.take()).isEqualTo("until " + (1_500 + TICK_NS + 1));
      assertThat(clock.sleeps.take()).isEqualTo("until woken");
      assertThat(event.fireCount()).isEqualTo(2);
    }
  }

  @Test
  void shouldFireAgainAndAgainUntilStopped() throws InterruptedException {
    try (Timer timer = service.periodic(event, 0, TICK_NS)) {
      timer.start();
      handled.acquire(10);
      assertThat(timer.stop()).isTrue();
      assertThat(timer.fireCount()).isGreaterThanOrEqualTo(10);
      assertThat(timer.intervalNs()).isEqualTo(TICK_NS);
      assertThat(timer.event()).isSameAs(event);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFireWhenAClockOfTheSystemShowsTheTime(KernelClock kind) throws InterruptedException {
    TimerClock clock = TimerClock.of(OperatingSystems.current(), kind);
    long timeNs = clock.nowNs() + TICK_NS;
    try (Timer timer = service.at(event, clock, timeNs)) {
      timer.start();
      handled.acquire();
      assertThat(clock.nowNs()).isGreaterThanOrEqualTo(timeNs);
    }
    try (Timer timer = service.periodicAt(event, clock, clock.nowNs(), TICK_NS)) {
      timer.start();
      handled.acquire(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWhatAClockIsWithoutTheOperatingSystem(KernelClock kind) {
    TimerClock clock = TimerClock.of(OperatingSystems.portable(), kind);
    boolean known = kind == KernelClock.MONOTONIC || kind == KernelClock.REALTIME;
    assertThat(clock.shortfall() == null).isEqualTo(known);
    assertThat(clock.steady()).isEqualTo(kind == KernelClock.MONOTONIC);
    long firstNs = clock.nowNs();
    assertThat(clock.nowNs()).isGreaterThanOrEqualTo(firstNs);
  }

  @Test
  void shouldHaveTheMachinesClocks() {
    assertThat(TimerClock.MONOTONIC.nowNs() - System.nanoTime()).isLessThanOrEqualTo(0);
    assertThat(TimerClock.WALL.nowNs() / 1_000_000_000)
        .isCloseTo(System.currentTimeMillis() / 1_000, org.assertj.core.data.Offset.offset(60L));
    assertThat(TimerClock.BOOT_TIME.nowNs()).isNotZero();
    assertThat(TimerClock.TAI.name()).isEqualTo("tai");
    assertThatThrownBy(() -> new TimerClock("odd", () -> 0, -1, true, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resolutionNs=-1");
  }

  @Test
  void shouldAllocateNothingWhenTimersAreControlled() throws InterruptedException {
    ThreadMeter meter = ThreadMeter.system();
    long bytes = 0;
    try (Timer timer = service.after(event, TICK_NS)) {
      for (int round = 0; round < 20; round++) {
        long before = meter.allocatedBytes();
        for (int i = 0; i < 1_000; i++) {
          timer.start();
          timer.rescheduleAfter(10_000 * TICK_NS);
          timer.disable();
          timer.enable();
          timer.stop();
        }
        bytes = meter.allocatedBytes() - before;
        if (bytes == 0) {
          break; // what the JVM allocates while it links and compiles is gone
        }
      }
    }
    assertThat(bytes).as("bytes of 1000 rounds").isZero();
  }

  @Test
  void shouldAllocateNothingOnItsThread() throws InterruptedException {
    ThreadMeter meter = ThreadMeter.system();
    AtomicLong bytes = new AtomicLong();
    // By a clock that measures: it is read on the service's thread.
    TimerClock measuring =
        new TimerClock(
            "measuring",
            () -> {
              bytes.setPlain(meter.allocatedBytes());
              return System.nanoTime();
            },
            1,
            true,
            null);
    try (Timer timer = service.periodicAt(event, measuring, System.nanoTime(), TICK_NS)) {
      timer.start();
      long grown = 0;
      for (int round = 0; round < 20; round++) {
        long before = bytes.get();
        handled.acquire(50);
        grown = bytes.get() - before;
        if (grown == 0) {
          break;
        }
      }
      assertThat(grown).as("bytes of 50 ticks").isZero();
    }
  }

  @Test
  void shouldLimitTimersAndRefuseAfterItsEnd() {
    service.after(event, 1);
    Timer second = service.after(event, 1);
    assertThatThrownBy(() -> service.after(event, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("maxTimers=2");
    assertThat(service.timerCount()).isEqualTo(2);
    service.close();
    assertThatThrownBy(() -> service.after(event, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("timers is closed");
    second.close();
    assertThat(service.grant().isComplete()).isTrue();
  }

  @Test
  void shouldRefuseSettingsThatCannotBe() {
    TimerSettings settings = service.settings();
    for (int maxTimers : new int[] {0, TimerSettings.MAX_TIMERS + 1}) {
      assertThatThrownBy(() -> settings.withMaxTimers(maxTimers))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("maxTimers=" + maxTimers + " (expected: 1 to 65536)");
    }
    for (long checkNs : new long[] {99_999, 1_000_000_001}) {
      assertThatThrownBy(() -> settings.withClockCheckNs(checkNs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("clockCheckNs=" + checkNs + " ");
    }
    assertThat(settings.withMaxTimers(65_536).maxTimers()).isEqualTo(65_536);
    assertThat(settings.withMaxTimers(1).maxTimers()).isOne();
    assertThat(settings.withClockCheckNs(100_000).clockCheckNs()).isEqualTo(100_000);
    assertThat(settings.withClockCheckNs(1_000_000_000).clockCheckNs()).isEqualTo(1_000_000_000);
  }

  @Test
  void shouldRefuseTimersWhenItsThreadHasFailed() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean();
    NanoClock failing =
        () -> {
          if (broken.get() && Thread.currentThread().getName().equals("failing")) {
            throw new IllegalStateException("the clock is broken");
          }
          return System.nanoTime();
        };
    TimerSettings settings = TimerSettings.of("failing", ThreadScheduling.OTHER).withClock(failing);
    try (TimerService other = TimerService.start(settings);
        Timer first = other.after(event, TICK_NS);
        Timer second = other.after(event, TICK_NS)) {
      Thread thread =
          Thread.getAllStackTraces().keySet().stream()
              .filter(each -> each.getName().equals("failing"))
              .findAny()
              .orElseThrow();
      thread.setUncaughtExceptionHandler((_, _) -> {});
      broken.set(true);
      first.start();
      thread.join();
      assertThatThrownBy(second::start).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> other.after(event, 0)).isInstanceOf(IllegalStateException.class);
    }
  }
}
