package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.ThreadScheduling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What handlers do on their threads, bound and pooled ones alike. */
class HandlerTest {
  private static final ThreadMeter METER = ThreadMeter.system();
  private static final HandlerSettings SETTINGS =
      HandlerSettings.of("handler", ThreadScheduling.OTHER);

  enum Kind {
    BOUND,
    SPINNING,
    POOLED
  }

  private final AsyncEvent event = new AsyncEvent("event");
  private final List<AutoCloseable> opened = new ArrayList<>();

  private AsyncEventHandler start(Kind kind, HandlerSettings settings, HandlerLogic logic) {
    AsyncEventHandler handler =
        switch (kind) {
          case BOUND -> BoundHandler.start(settings, logic);
          case SPINNING -> BoundHandler.start(settings.withSpinNs(100_000), logic);
          case POOLED -> pool(2).handler(settings, logic);
        };
    opened.add(handler);
    event.addHandler(handler);
    return handler;
  }

  private HandlerPool pool(int threads) {
    HandlerPool pool = HandlerPool.start(PoolSettings.of("pool", threads, ThreadScheduling.OTHER));
    opened.addFirst(pool);
    return pool;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .noneMatch(name -> name.startsWith("handler") || name.startsWith("pool-"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldRunOncePerFireOnAThreadThatIsNotTheCaller(Kind kind) throws InterruptedException {
    Semaphore ran = new Semaphore(0);
    AtomicReference<Thread> on = new AtomicReference<>();
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              on.set(Thread.currentThread());
              ran.release();
            });
    for (int i = 0; i < 100; i++) {
      event.fire();
      ran.acquire();
    }
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(100);
    assertThat(ran.availablePermits()).isZero();
    assertThat(on.get()).isNotSameAs(Thread.currentThread());
  }

  @ParameterizedTest
  @EnumSource
  void shouldCountFiresThatComeWhileItRuns(Kind kind) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
            });
    event.fire();
    entered.await();
    assertThat(handler.getPendingFireCount()).as("the one being handled is not pending").isZero();
    event.fire();
    event.fire();
    assertThat(handler.getAndIncrementPendingFireCount()).isEqualTo(2);
    assertThat(handler.getPendingFireCount()).isEqualTo(3);
    go.countDown();
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetLogicTakeSeveralFiresAtOnce(Kind kind) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger steps = new AtomicInteger();
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
              do {
                steps.getAndIncrement();
              } while (self.getAndDecrementPendingFireCount() > 0);
            });
    event.fire();
    entered.await();
    event.fire();
    event.fire();
    go.countDown();
    handler.close();
    assertThat(handler.handledCount()).isOne();
    assertThat(steps).hasValue(3);
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoOnAfterAFailureAndTellOfIt(Kind kind) {
    List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
    IllegalStateException failure = new IllegalStateException("on purpose");
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS.withFailureHandler(
                (self, thrown) -> {
                  told.add(thrown);
                  throw new AssertionError("and the listener, too");
                }),
            self -> {
              throw failure;
            });
    event.fire();
    event.fire();
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(2);
    assertThat(handler.failureCount()).isEqualTo(2);
    assertThat(handler.lastFailure()).isSameAs(failure);
    assertThat(told).containsExactly(failure, failure);
  }

  @ParameterizedTest
  @EnumSource
  void shouldDiscardWhatIsPendingWhenClosedNow(Kind kind) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
            });
    event.fire();
    entered.await();
    event.fire();
    event.fire();
    Thread closer = Thread.ofPlatform().start(handler::closeNow);
    while (handler.discardedCount() == 0) {
      Thread.onSpinWait();
    }
    event.fire();
    go.countDown();
    closer.join();
    assertThat(handler.discardedCount()).isEqualTo(2);
    assertThat(handler.refusedCount()).isOne();
    assertThat(handler.handledCount()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotWaitForItselfWhenClosedByItsOwnLogic(Kind kind) {
    AsyncEventHandler handler = start(kind, SETTINGS, AsyncEventHandler::close);
    event.fire();
    handler.close();
    assertThat(handler.handledCount()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void shouldStopWaitingForTheEndWhenInterrupted(Kind kind) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
            });
    event.fire();
    entered.await();
    Thread.currentThread().interrupt();
    handler.close();
    assertThat(Thread.interrupted()).isTrue();
    go.countDown();
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeginEachReleaseWithoutAnInterrupt(Kind kind) {
    AtomicInteger interrupted = new AtomicInteger();
    AsyncEventHandler handler =
        start(
            kind,
            SETTINGS,
            self -> {
              if (Thread.currentThread().isInterrupted()) {
                interrupted.getAndIncrement();
              }
              Thread.currentThread().interrupt();
            });
    event.fire();
    event.fire();
    handler.close();
    assertThat(handler.handledCount()).isEqualTo(2);
    assertThat(interrupted).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetLogicFireItsOwnEvent(Kind kind) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1_000);
    start(
        kind,
        SETTINGS,
        self -> {
          done.countDown();
          if (done.getCount() > 0) {
            event.fire();
          }
        });
    event.fire();
    done.await();
    assertThat(event.fireCount()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAllocateNothingFromFireToTheEndOfTheLogic(Kind kind) throws InterruptedException {
    Meter meter = new Meter();
    AsyncEventHandler handler = start(kind, SETTINGS, meter);
    for (int round = 0; round < 20; round++) {
      meter.fire(1_000);
      if (meter.callerBytes == 0 && meter.handlerBytes == 0) {
        break; // what the JVM allocates while it links and compiles is gone
      }
    }
    assertThat(meter.callerBytes).as("bytes of 1000 fires").isZero();
    assertThat(meter.handlerBytes).as("bytes of 1000 releases").isZero();
    handler.close();
  }

  /** Fires and waits by spinning, and measures what both threads allocate. */
  private final class Meter implements HandlerLogic {
    private volatile long ran;
    private volatile Thread on;
    private volatile long bytesAtEnd;
    private long callerBytes;
    private long handlerBytes;

    @Override
    public void handle(AsyncEventHandler self) {
      on = Thread.currentThread();
      bytesAtEnd = METER.allocatedBytes();
      ran = ran + 1;
    }

    private void fire(int times) {
      Thread firstOn = null;
      long handlerBefore = 0;
      handlerBytes = 0;
      long before = METER.allocatedBytes();
      for (int i = 0; i < times; i++) {
        long due = ran + 1;
        event.fire();
        while (ran != due) {
          Thread.onSpinWait();
        }
        if (on != firstOn) { // another thread of the pool: measure from here
          firstOn = on;
          handlerBefore = bytesAtEnd;
        }
        handlerBytes = Math.max(handlerBytes, bytesAtEnd - handlerBefore);
      }
      callerBytes = METER.allocatedBytes() - before;
    }
  }

  @Test
  void shouldRunPendingHandlersOfAPoolByPriorityAndEqualOnesInTurn() throws InterruptedException {
    HandlerPool pool = pool(1);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    PooledHandler blocker =
        pool.handler(
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
            });
    PooledHandler low = ranked(pool, "low", 10, order);
    PooledHandler high = ranked(pool, "high", 30, order);
    PooledHandler late = ranked(pool, "late", 20, order);
    PooledHandler early = ranked(pool, "early", 20, order);
    blocker.release();
    entered.await();
    for (PooledHandler each : List.of(low, early, late, high, early)) {
      each.release();
    }
    go.countDown();
    pool.close();
    assertThat(order).containsExactly("high", "early", "late", "early", "low");
  }

  private PooledHandler ranked(HandlerPool pool, String name, int priority, List<String> order) {
    return pool.handler(
        HandlerSettings.of(name, ThreadScheduling.fifo(priority)), self -> order.add(self.name()));
  }

  @Test
  void shouldRunSeveralHandlersOfAPoolAtOnceButEachOnOneThread() throws InterruptedException {
    HandlerPool pool = pool(2);
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    HandlerLogic meet =
        self -> {
          both.countDown();
          both.await();
        };
    pool.handler(SETTINGS, meet).release();
    pool.handler(SETTINGS, meet).release();
    both.await();
    PooledHandler alone =
        pool.handler(
            SETTINGS,
            self -> {
              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
              inside.decrementAndGet();
            });
    for (int i = 0; i < 10_000; i++) {
      alone.release();
    }
    alone.close();
    assertThat(alone.handledCount()).isEqualTo(10_000);
    assertThat(most).hasValue(1);
  }

  @Test
  void shouldLimitTheHandlersOfAPool() {
    HandlerPool pool =
        HandlerPool.start(PoolSettings.of("pool", 1, ThreadScheduling.OTHER).withMaxHandlers(2));
    opened.add(pool);
    pool.handler(SETTINGS, self -> {});
    PooledHandler second = pool.handler(SETTINGS, self -> {});
    assertThatThrownBy(() -> pool.handler(SETTINGS, self -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handlers=3")
        .hasMessageContaining("maxHandlers=2")
        .hasMessageContaining("PoolSettings.maxHandlers");
    second.close();
    assertThat(pool.handlerCount()).isOne();
    pool.handler(SETTINGS, self -> {});
    pool.close();
    assertThat(pool.handlerCount()).isZero();
    assertThatThrownBy(() -> pool.handler(SETTINGS, self -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldHandleWhatIsPendingBeforeAPoolEnds() throws InterruptedException {
    HandlerPool pool = pool(1);
    PooledHandler handler = pool.handler(SETTINGS, self -> {});
    for (int i = 0; i < 1_000; i++) {
      handler.release();
    }
    pool.close();
    assertThat(handler.handledCount()).isEqualTo(1_000);
  }

  @Test
  void shouldNotWaitOnAThreadOfThePoolForAnotherHandlerOfIt() throws InterruptedException {
    HandlerPool pool = pool(1);
    PooledHandler discarded = pool.handler(SETTINGS, self -> {});
    PooledHandler closed = pool.handler(SETTINGS, self -> {});
    CountDownLatch returned = new CountDownLatch(1);
    pool.handler(
            SETTINGS,
            self -> {
              discarded.release();
              discarded.closeNow();
              closed.release();
              closed.close();
              returned.countDown();
            })
        .release();
    assertThat(returned.await(10, TimeUnit.SECONDS)).as("both returned").isTrue();
    pool.close();
    assertThat(discarded.handledCount()).isZero();
    assertThat(discarded.discardedCount()).isOne();
    assertThat(closed.handledCount()).isOne();
  }

  @Test
  void shouldNotWaitForABusyPoolWhenWhatIsPendingIsDiscarded() throws InterruptedException {
    HandlerPool pool = pool(1);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    PooledHandler blocker =
        pool.handler(
            SETTINGS,
            self -> {
              entered.countDown();
              go.await();
            });
    PooledHandler pending = pool.handler(SETTINGS, self -> {});
    blocker.release();
    entered.await();
    pending.release();
    Thread closer = Thread.ofPlatform().start(pending::closeNow);
    boolean ended = closer.join(Duration.ofSeconds(10));
    go.countDown();
    closer.join();
    assertThat(ended).as("it did not wait for the other one").isTrue();
    assertThat(pending.discardedCount()).isOne();
  }

  @Test
  void shouldEndAPoolThatOneOfItsHandlersCloses() {
    HandlerPool pool = pool(2);
    PooledHandler handler = pool.handler(SETTINGS, self -> pool.close());
    handler.release();
    handler.close();
    pool.close();
    assertThat(handler.handledCount()).isOne();
  }

  @Test
  void shouldTellHowItsThreadsAreScheduled() {
    BoundHandler bound = (BoundHandler) start(Kind.BOUND, SETTINGS, self -> {});
    assertThat(bound.grant().isComplete()).isTrue();
    assertThat(pool(3).grants()).hasSize(3);
  }
}
