package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who keeps a carrier is seen; who yields is not. */
class CarrierWatchTest {
  private static final Duration LIMIT = Duration.ofMillis(50);

  private final Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
  private final LinkedBlockingQueue<HeldCarrier> reports = new LinkedBlockingQueue<>();
  private final AtomicBoolean end = new AtomicBoolean();

  @AfterEach
  void close() {
    end.set(true);
    sessions.close();
  }

  private long compute() {
    long value = 1;
    while (!end.get()) {
      value = value * 31 + 7;
    }
    return value;
  }

  @Test
  void shouldReportASessionThatComputesWithoutEndOnceWithItsStack() throws Exception {
    try (CarrierWatch watch = CarrierWatch.start(sessions, LIMIT, reports::add)) {
      sessions.start("endless", this::compute);
      HeldCarrier held = reports.poll(60, TimeUnit.SECONDS);

      assertThat(held).isNotNull();
      assertThat(held.session()).isEqualTo("endless");
      assertThat(held.heldNs()).isGreaterThanOrEqualTo(LIMIT.toNanos());
      assertThat(held.cpuNs()).isPositive();
      assertThat(held.stack()).anyMatch(frame -> frame.getMethodName().equals("compute"));
      assertThat(held.toString()).contains("session endless keeps ForkJoinPool", "compute");
      assertThat(reports.poll(4 * LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isNull();
      assertThat(watch.reports()).isEqualTo(1);
    }
  }

  @Test
  void shouldNotReportSessionsThatAreBusyAndYield() throws Exception {
    AtomicLong rounds = new AtomicLong();
    try (CarrierWatch watch = CarrierWatch.start(sessions, LIMIT, reports::add)) {
      for (int i = 0; i < 4; i++) {
        InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
        sessions.start("echo", () -> Echo.run(pair.second()));
        sessions.start("client", () -> askUntilTheEnd(pair.first(), rounds));
      }
      sessions.start("waiting", () -> reports.take());
      assertThat(reports.poll(10 * LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isNull();
      assertThat(rounds).hasPositiveValue();
      assertThat(watch.reports()).isZero();
      end.set(true);
    }
  }

  private Object askUntilTheEnd(Transport transport, AtomicLong rounds) throws Exception {
    try (transport) {
      while (!end.get()) {
        transport.writeLine("x");
        assertThat(transport.readLine()).isEqualTo("x");
        rounds.incrementAndGet();
      }
    }
    return end;
  }

  /** Its initializer waits: a session cannot be suspended there. */
  private static final class Slow {
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch GO_ON = new CountDownLatch(1);

    private static final class Initialized {
      static final long VALUE = await();

      private static long await() {
        BEGUN.countDown();
        try {
          GO_ON.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return 7;
      }
    }
  }

  @Test
  void shouldReportASessionThatWaitsWhereItCannotBeSuspended() throws Exception {
    try (CarrierWatch watch = CarrierWatch.start(sessions, Duration.ofMillis(10), reports::add)) {
      Session<Long> slow = sessions.start("slow", () -> Slow.Initialized.VALUE);
      Slow.BEGUN.await();
      HeldCarrier held = reports.poll(60, TimeUnit.SECONDS);
      Slow.GO_ON.countDown();

      assertThat(held).isNotNull();
      assertThat(held.session()).isEqualTo("slow");
      assertThat(held.cpuNs()).isLessThan(held.heldNs());
      assertThat(slow.await().value()).isEqualTo(7);
      assertThat(watch.reports()).isEqualTo(1);
    }
  }

  @Test
  void shouldGoOnWhenItsListenerThrows() throws Exception {
    try (CarrierWatch watch = CarrierWatch.start(sessions, LIMIT, CarrierWatchTest::refuse)) {
      sessions.start("first", this::compute);
      while (watch.listenerErrors() < 1) {
        Thread.onSpinWait();
      }
      end.set(true);
      assertThat(sessions.running()).allSatisfy(each -> each.await());
      end.set(false);
      sessions.start("second", this::compute);
      while (watch.listenerErrors() < 2) {
        Thread.onSpinWait();
      }
    }
  }

  private static void refuse(HeldCarrier held) {
    throw new AssertionError("on purpose");
  }
}
