package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How sessions begin and end, whoever else begins and ends at the same time. */
class SessionsTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private static Object waitForEver() throws InterruptedException {
    while (true) {
      Suspension.current().await(Suspension.FOR_EVER_NS);
    }
  }

  @Test
  void shouldTellHowASessionHasEnded() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      Session<String> completed = sessions.start("completed", () -> "value");
      IllegalStateException failure = new IllegalStateException("on purpose");
      Session<String> failed =
          sessions.start(
              "failed",
              () -> {
                throw failure;
              });
      Session<Object> cancelled = sessions.start("cancelled", SessionsTest::waitForEver);
      cancelled.cancel();

      assertThat(completed.await().value()).isEqualTo("value");
      assertThatThrownBy(() -> failed.await().value())
          .isInstanceOf(ExecutionException.class)
          .hasCause(failure);
      assertThatThrownBy(() -> cancelled.await().value())
          .isInstanceOf(CancellationException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(sessions.drain(LONG)).isEmpty();
      assertThat(sessions.stats()).isEqualTo(new SessionStats(0, 1, 1, 1, 0));
    }
  }

  @Test
  void shouldCompleteASessionThatReturnsThoughItWasCancelled() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      CountDownLatch go = new CountDownLatch(1);
      Session<String> session =
          sessions.start(
              "saves",
              () -> {
                try {
                  waitForEver();
                } catch (InterruptedException cancelled) {
                  go.await();
                }
                return "saved";
              });
      session.cancel();
      assertThat(session.await(Duration.ofMillis(1))).isNull();
      go.countDown();
      assertThat(session.await().value()).isEqualTo("saved");
      assertThat(session.isCancelled()).isTrue();
    }
  }

  @Test
  void shouldBoundTheNumberOfSessionsAndMakeRoomWhenOneHasEnded() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2))) {
      Session<Object> first = sessions.start("first", SessionsTest::waitForEver);
      sessions.start("second", SessionsTest::waitForEver);
      assertThatThrownBy(() -> sessions.start("third", SessionsTest::waitForEver))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("session third is not started: there are 2 (limit: maxSessions=2)");
      first.cancel();
      first.await();
      for (int i = 0; i < 1_000; i++) {
        assertThat(sessions.start("next", () -> 1).await().value()).isEqualTo(1);
      }
      assertThat(sessions.stats().refused()).isEqualTo(1);
    }
  }

  @Test
  void shouldStartNoneWhenItIsDrainedOrStoppedAndSaySo() throws Exception {
    Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    Session<Object> waiting = sessions.start("waiting", SessionsTest::waitForEver);
    assertThat(sessions.drain(Duration.ZERO)).isEqualTo(List.of(waiting));
    assertThatThrownBy(() -> sessions.start("a", () -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("being drained");
    assertThat(sessions.stop(LONG)).isEmpty();
    assertThatThrownBy(() -> sessions.start("b", () -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("stopped");
    sessions.close();
    assertThat(sessions.stats()).isEqualTo(new SessionStats(0, 0, 0, 1, 0));
  }

  @Test
  void shouldNameASessionThatGoesOnWhenItIsStopped() throws Exception {
    Sessions sessions =
        Sessions.open(SessionSettings.DEFAULTS.withCloseTimeout(Duration.ofMillis(50)));
    CountDownLatch end = new CountDownLatch(1);
    Session<Object> stubborn =
        sessions.start(
            "stubborn",
            () -> {
              while (true) {
                try {
                  end.await();
                  return "done";
                } catch (InterruptedException goesOn) {
                  // as badly written code does
                }
              }
            });
    assertThatThrownBy(sessions::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 sessions have not ended within PT0.05S, among them stubborn");
    end.countDown();
    assertThat(stubborn.await().value()).isEqualTo("done");
    sessions.close();
  }

  @Test
  void shouldStayInterruptedWhenTheCallerOfCloseIs() {
    Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    sessions.start("waiting", SessionsTest::waitForEver);
    Thread.currentThread().interrupt();
    try {
      sessions.close();
    } catch (IllegalStateException interrupted) {
      assertThat(interrupted).hasMessageContaining("interrupted while");
    }
    assertThat(Thread.interrupted()).isTrue();
    sessions.close();
    assertThat(sessions.stats().running()).isZero();
  }

  @Test
  void shouldLetManyWaitForOneSession() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      CountDownLatch go = new CountDownLatch(1);
      Session<Integer> one =
          sessions.start(
              "one",
              () -> {
                go.await();
                return 7;
              });
      List<Session<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        waiting.add(sessions.start("waiting", () -> one.await().value()));
      }
      go.countDown();
      for (Session<Integer> each : waiting) {
        assertThat(each.await().value()).isEqualTo(7);
      }
    }
  }

  /** What a round of the race below has seen of a session that was started. */
  private record Begun(Session<Integer> session, AtomicInteger runs) {}

  @Test
  void shouldRunEachStartedSessionOnceAndNoneAfterStopWhateverRaces() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int round = 0; round < Seeds.size(300, 20_000); round++) {
      race(random);
    }
  }

  private static void race(Random random) throws Exception {
    int max = 1 + random.nextInt(20);
    boolean drain = random.nextBoolean();
    int pause = random.nextInt(2_000);
    long seed = random.nextLong();
    Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(max));
    ConcurrentLinkedQueue<Begun> begun = new ConcurrentLinkedQueue<>();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger full = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(3);
    List<Thread> starters = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Random own = new Random(seed + i);
      starters.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      barrier.await();
                      startUntilClosed(sessions, own, begun, inside, most, full);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    barrier.await();
    for (int i = 0; i < pause; i++) {
      Thread.onSpinWait();
    }
    List<Session<?>> left = drain ? sessions.drain(LONG) : sessions.stop(LONG);
    assertThat(left).isEmpty();
    assertThat(inside).as("running after the end").hasValue(0);
    for (Thread each : starters) {
      each.join();
    }
    assertThat(inside).as("started after the end").hasValue(0);
    assertThat(most.get()).isLessThanOrEqualTo(max);
    for (Begun each : begun) {
      assertThat(each.session().outcome()).isNotNull();
      assertThat(each.runs()).hasValue(1);
    }
    SessionStats stats = sessions.stats();
    assertThat(stats.running()).isZero();
    assertThat(stats.failed()).isZero();
    assertThat(stats.completed() + stats.cancelled()).isEqualTo(begun.size());
    assertThat(stats.refused()).isEqualTo(full.get());
  }

  private static void startUntilClosed(
      Sessions sessions,
      Random random,
      ConcurrentLinkedQueue<Begun> begun,
      AtomicInteger inside,
      AtomicInteger most,
      AtomicInteger full) {
    while (true) {
      long waitNs = random.nextInt(3) == 0 ? random.nextInt(20_000) : 0;
      boolean cancel = random.nextInt(4) == 0;
      AtomicInteger runs = new AtomicInteger();
      try {
        Session<Integer> session =
            sessions.start(
                "raced",
                () -> {
                  runs.incrementAndGet();
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  try {
                    Suspension.current().await(waitNs);
                    return 1;
                  } finally {
                    inside.decrementAndGet();
                  }
                });
        begun.add(new Begun(session, runs));
        if (cancel) {
          session.cancel();
        }
      } catch (RejectedExecutionException refused) {
        if (!refused.getMessage().contains("maxSessions")) {
          return;
        }
        full.incrementAndGet();
      }
    }
  }

  @Test
  void shouldKeepAResumeThatOtherWaitsWouldUseUp() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      Session<Object> session =
          sessions.start(
              "waits",
              () -> {
                Suspension here = Suspension.current();
                here.resume();
                new LinkedBlockingQueue<>().poll(1, TimeUnit.MILLISECONDS);
                here.await(Suspension.FOR_EVER_NS);
                return "resumed";
              });
      assertThat(session.await(LONG)).isInstanceOf(SessionOutcome.Completed.class);
    }
  }

  @Test
  void shouldEndASessionThatIsCancelledWhileItStarts() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      AtomicBoolean end = new AtomicBoolean();
      Thread canceller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!end.get()) {
                      sessions.running().forEach(Session::cancel);
                    }
                  });
      for (int i = 0; i < Seeds.size(3_000, 300_000); i++) {
        Session<Object> session =
            sessions.start(
                "waits",
                () -> {
                  while (true) {
                    Suspension.current().await(Suspension.FOR_EVER_NS);
                  }
                });
        while (!session.isCancelled()) {
          Thread.onSpinWait();
        }
        assertThat(session.await(LONG)).isInstanceOf(SessionOutcome.Cancelled.class);
      }
      end.set(true);
      canceller.join();
    }
  }

  @Test
  void shouldKeepNothingOfSessionsThatHaveEnded() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(1_000))) {
      int count = Seeds.size(20_000, 1_000_000);
      Random random = new Random(Seeds.seed());
      List<Session<?>> recent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        recent.add(startOne(sessions, random.nextInt(4)));
        if (recent.size() == 1_000) {
          for (Session<?> each : recent) {
            each.cancel();
            each.await();
          }
          recent.clear();
        }
      }
      assertThat(sessions.drain(LONG)).isEmpty();
      SessionStats stats = sessions.stats();
      assertThat(stats.completed() + stats.failed() + stats.cancelled()).isEqualTo(count);
      assertThat(stats.running()).isZero();
      assertThat(sessions.running()).isEmpty();
    }
  }

  private static Session<?> startOne(Sessions sessions, int kind) {
    return switch (kind) {
      case 0 -> sessions.start("completes", () -> 1);
      case 1 ->
          sessions.start(
              "fails",
              () -> {
                throw new IllegalStateException();
              });
      case 2 -> sessions.start("waits", SessionsTest::waitForEver);
      default ->
          sessions.start(
              "times out",
              () -> {
                Suspension.current().await(1_000);
                return 1;
              });
    };
  }
}
