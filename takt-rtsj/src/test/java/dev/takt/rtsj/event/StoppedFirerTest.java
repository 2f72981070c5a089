package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A thread that fires is stopped in the middle, for as long as the test lasts: nobody else's fire
 * waits for it.
 */
class StoppedFirerTest {
  private static final HandlerSettings SETTINGS =
      HandlerSettings.of("handler", ThreadScheduling.OTHER);

  private final StoppingClock clock = new StoppingClock();
  private final Semaphore handled = new Semaphore(0);

  /** Its sleepers tell who sleeps, and can lose a wake-up: its giver was stopped before it. */
  private static final class StoppingClock implements NanoClock {
    private final AtomicInteger sleeping = new AtomicInteger();
    private final AtomicBoolean stopsNext = new AtomicBoolean();

    @Override
    public long nanoTime() {
      return 0;
    }

    void awaitSleepers(int count) {
      while (sleeping.get() != count) {
        Thread.onSpinWait();
      }
    }

    @Override
    public Sleeper newSleeper() {
      Semaphore permit = new Semaphore(0);
      return new Sleeper() {
        @Override
        public void sleepUntil(long timeNs) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void sleep() {
          sleeping.getAndIncrement();
          permit.acquireUninterruptibly();
          permit.drainPermits();
          sleeping.getAndDecrement();
        }

        @Override
        public void wake() {
          if (!stopsNext.compareAndSet(true, false)) {
            permit.release();
          }
        }
      };
    }
  }

  private HandlerPool pool(int threads) {
    HandlerPool pool =
        HandlerPool.start(
            PoolSettings.of("pool", threads, ThreadScheduling.OTHER).withClock(clock));
    clock.awaitSleepers(threads);
    return pool;
  }

  private void awaitHandled(int count) throws InterruptedException {
    assertThat(handled.tryAcquire(count, 10, TimeUnit.SECONDS)).as("%d handled", count).isTrue();
  }

  /** Fires, and is stopped before the wake. */
  private static void makeReady(AsyncEventHandler handler) {
    assertThat(handler.count()).isZero();
    assertThat(handler.ready.makeReady()).isTrue();
  }

  @Test
  void shouldRunABoundHandlerWhenWhoMadeItReadyWasStoppedBeforeTheWake() throws Exception {
    try (BoundHandler handler =
        BoundHandler.start(SETTINGS.withClock(clock), self -> handled.release())) {
      clock.awaitSleepers(1);
      makeReady(handler);
      handler.release();
      awaitHandled(2);
    }
  }

  @Test
  void shouldRunABoundHandlerWhoseArrivalIsReplacedWhenTheFirstWasStopped() throws Exception {
    HandlerSettings settings =
        SETTINGS
            .withClock(clock)
            .withRelease(Aperiodic.ofCapacity(1).withWhenFull(QueuePolicy.REPLACE));
    try (BoundHandler handler = BoundHandler.start(settings, self -> handled.release())) {
      clock.awaitSleepers(1);
      clock.stopsNext.set(true);
      handler.release();
      handler.release();
      awaitHandled(1);
    }
  }

  @Test
  void shouldRunAPooledHandlerWhenWhoMadeItReadyWasStoppedBeforeTheCall() throws Exception {
    try (HandlerPool pool = pool(1)) {
      PooledHandler handler = pool.handler(SETTINGS, self -> handled.release());
      makeReady(handler);
      handler.release();
      awaitHandled(2);
    }
  }

  @Test
  void shouldRunAPooledHandlerWhenWhoHasCalledTheThreadWasStoppedBeforeTheWake() throws Exception {
    try (HandlerPool pool = pool(1)) {
      PooledHandler first = pool.handler(SETTINGS, self -> handled.release());
      PooledHandler second = pool.handler(SETTINGS, self -> handled.release());
      clock.stopsNext.set(true);
      first.release();
      second.release();
      awaitHandled(2);
    }
  }

  @Test
  void shouldPassTheCallOnWhenSeveralHandlersArePendingForOne() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    HandlerLogic meet =
        self -> {
          both.countDown();
          both.await();
        };
    try (HandlerPool pool = pool(2)) {
      PooledHandler first = pool.handler(SETTINGS, meet);
      PooledHandler second = pool.handler(SETTINGS, meet);
      makeReady(first);
      clock.stopsNext.set(true);
      second.release();
      first.getAndDecrementPendingFireCount();
      first.release();
      boolean met = both.await(10, TimeUnit.SECONDS);
      both.countDown(); // so that it ends, if they did not
      assertThat(met).as("both run at once").isTrue();
    }
  }
}
