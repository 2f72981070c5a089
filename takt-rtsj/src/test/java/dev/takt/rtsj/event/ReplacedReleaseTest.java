package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Arrival;
import dev.takt.realtime.ArrivalQueue;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.QueuePolicy;
import dev.takt.realtime.ReleaseEngine;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.Sporadic;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Releases that are replaced or taken while somebody is about to begin them. */
class ReplacedReleaseTest {
  private static final Aperiodic REPLACING = new Aperiodic(0, 0, 1, QueuePolicy.REPLACE);

  private final AsyncEvent event = new AsyncEvent("event");

  /** Lets the event fire once more after the handler's thread has seen the time to begin by. */
  private final class LateClock implements NanoClock {
    private final AtomicBoolean fired = new AtomicBoolean();
    private volatile long nowNs;

    @Override
    public long nanoTime() {
      long seenNs = nowNs;
      if (isToBeginBy() && fired.compareAndSet(false, true)) {
        nowNs = seenNs + 1;
        event.fire();
      }
      return seenNs;
    }

    private static boolean isToBeginBy() {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(each -> each.getMethodName().equals("claim")));
    }
  }

  @Test
  void shouldHandleReleaseThatIsReplacedByALaterOneJustBeforeItBegins() throws Exception {
    Semaphore handled = new Semaphore(0);
    try (BoundHandler handler =
        BoundHandler.start(
            HandlerSettings.of("handler", ThreadScheduling.OTHER)
                .withClock(new LateClock())
                .withRelease(REPLACING),
            self -> handled.release())) {
      event.addHandler(handler);
      event.fire();
      boolean handledInTime = handled.tryAcquire(10, TimeUnit.SECONDS);
      handler.closeNow();
      assertThat(handledInTime).as("it was handled").isTrue();
      assertThat(handler.arrivalCount(Arrival.REPLACED)).isOne();
      assertThat(handler.handledCount()).isOne();
    }
  }

  @Test
  void shouldDropReleasesWhoseTimeHasNotCome() {
    long[] nowNs = {0};
    ReleaseEngine releases =
        engine(Sporadic.ofNs(1_000).withQueue(3, QueuePolicy.EXCEPT), ThreadMeter.system());
    for (int i = 0; i < 3; i++) {
      releases.arrive(nowNs[0]);
    }
    releases.dropArrivals(2);
    assertThat(releases.dueInNs(nowNs[0])).isEqualTo(2_000);
    releases.dropArrivals(5);
    nowNs[0] = 10_000;
    assertThat(releases.beginDue(nowNs[0])).isFalse();
    releases.dropArrivals(1);
    for (int i = 0; i < 3; i++) {
      assertThat(releases.arrive(nowNs[0]).isQueued()).as("room for arrival %d", i).isTrue();
    }
    assertThat(releases.beginDue(nowNs[0])).isTrue();
  }

  @Test
  void shouldSayWhenOverrunsAreNotCounted() {
    ThreadMeter none =
        new ThreadMeter() {
          @Override
          public long usedNs() {
            return UNKNOWN;
          }

          @Override
          public long allocatedBytes() {
            return UNKNOWN;
          }
        };
    Shortfall shortfall = engine(REPLACING.withBudgetNs(5), none).shortfall();
    assertThat(shortfall).hasToString(none.budgetShortfall("handler").toString());
    assertThat(shortfall.service()).isEqualTo("budget");
    assertThat(engine(REPLACING, none).shortfall()).isNull();
    assertThat(engine(REPLACING.withBudgetNs(5), ThreadMeter.system()).shortfall()).isNull();
  }

  private static ReleaseEngine engine(ReleaseParameters parameters, ThreadMeter meter) {
    PooledHandler handler;
    try (HandlerPool pool = HandlerPool.start(PoolSettings.of("pool", 1, ThreadScheduling.OTHER))) {
      handler = pool.handler(HandlerSettings.of("handler", ThreadScheduling.OTHER), self -> {});
    }
    return new ReleaseEngine(
        handler,
        parameters,
        ArrivalQueue.of(parameters, OperatingSystems.current()),
        meter,
        List.of(),
        failure -> {});
  }
}
