package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Sessions that the caller steps: the same seed, the same run. */
class SteppedSessionsTest {
  private static final long SECOND_NS = 1_000_000_000;

  /** What many clients and echoes do, one line each, in the order in which it happens. */
  private static List<String> run(long seed) throws Exception {
    List<String> trace = new ArrayList<>();
    Random random = new Random(seed);
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      List<Session<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int number = i;
        InVmTransport.Pair pair =
            InVmTransport.pair(TransportSettings.DEFAULTS.withMaxQueuedLines(2));
        sessions.start("echo", () -> Echo.run(pair.second()));
        clients.add(sessions.start("client", () -> client(pair.first(), number, trace)));
      }
      for (int i = 0; i < 20; i++) {
        int number = i;
        sessions.start("left", () -> leave(number, trace));
      }
      sessions.runReady();
      for (Session<Integer> each : clients) {
        assertThat(each.await().value()).isEqualTo(20);
      }
    }
    return trace;
  }

  private static int client(Transport transport, int number, List<String> trace) throws Exception {
    for (int i = 0; i < 20; i++) {
      transport.writeLine(number + " " + i);
      String answer = transport.readLine();
      assertThat(answer).isEqualTo(number + " " + i);
      trace.add(answer);
    }
    transport.close();
    return 20;
  }

  private static Object leave(int number, List<String> trace) {
    try {
      Suspension.current().await(Suspension.FOR_EVER_NS);
    } catch (InterruptedException cancelled) {
      trace.add("cancelled " + number);
    }
    return number;
  }

  @Test
  void shouldRunTheSameWayWithTheSameSeedAndAnotherWayWithAnother() throws Exception {
    long seed = Seeds.seed();
    List<String> first = run(seed);

    assertThat(run(seed)).isEqualTo(first);
    assertThat(run(seed + 1)).isNotEqualTo(first).containsExactlyInAnyOrderElementsOf(first);
  }

  @Test
  void shouldLetSessionsTakeTurnsInTheOrderInWhichTheyBecameReady() {
    List<String> order = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      for (String name : List.of("a", "b", "c")) {
        sessions.start(
            name,
            () -> {
              for (int i = 0; i < 2; i++) {
                order.add(name + i);
                Suspension.current().resume();
                Suspension.current().await(Suspension.FOR_EVER_NS);
                order.add(name + i + " again");
                Suspension.current().await(10);
              }
              return null;
            });
      }
      assertThat(sessions.step()).isTrue();
      assertThat(order).containsExactly("a0", "a0 again");
      sessions.runUntil(9);
      assertThat(order).hasSize(6).endsWith("b0", "b0 again", "c0", "c0 again");
      sessions.runUntil(10);
      assertThat(order).hasSize(12);
      assertThat(sessions.stats().running()).isEqualTo(3);
      sessions.runUntil(20);
      assertThat(sessions.stats().completed()).isEqualTo(3);
      assertThat(sessions.step()).isFalse();
    }
  }

  @Test
  void shouldResumeAReaderWhenALineComesAndAWriterWhenThereIsRoom() throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      InVmTransport.Pair pair =
          InVmTransport.pair(TransportSettings.DEFAULTS.withMaxQueuedLines(1));
      Session<Object> writer =
          sessions.start(
              "writer",
              () -> {
                pair.first().writeLine("a");
                pair.first().writeLine("b");
                return null;
              });
      sessions.runReady();
      assertThat(writer.outcome()).as("there is room for one").isNull();

      assertThat(sessions.start("reader", pair.second()::readLine)).isNotNull();
      sessions.runReady();
      assertThat(writer.outcome()).isNotNull();

      sessions.start("reader", pair.second()::readLine);
      Session<String> third = sessions.start("reader", pair.second()::readLine);
      sessions.runReady();
      assertThat(third.outcome()).isNull();
      pair.first().writeLine("c");
      sessions.runReady();
      assertThat(third.await().value()).isEqualTo("c");
      assertThat(sessions.nanoTime()).isZero();
    }
  }

  @Test
  void shouldMoveTimeOnlyWhenTheCallerMovesIt() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
      Session<String> reader = sessions.start("reader", pair.first()::readLine);
      sessions.runUntil(30 * SECOND_NS - 1);
      assertThat(reader.outcome()).isNull();
      sessions.runUntil(30 * SECOND_NS);
      assertThat(reader.outcome())
          .isInstanceOfSatisfying(
              SessionOutcome.Failed.class,
              end -> assertThat(end.cause()).isInstanceOf(SocketTimeoutException.class));
    }
  }

  @Test
  void shouldTellUntilWhenNothingIsToBeDone() throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      assertThat(sessions.nextNs()).isEqualTo(Long.MAX_VALUE);
      Session<Object> late = sessions.start("late", () -> await(700));
      sessions.start("early", () -> await(500));
      assertThat(sessions.nextNs()).as("both are ready").isZero();
      sessions.runReady();
      assertThat(sessions.nextNs()).isEqualTo(500);
      sessions.runUntil(600);
      assertThat(sessions.nextNs()).isEqualTo(700);
      Thread other = new Thread(late::cancel);
      other.start();
      other.join();
      assertThat(sessions.nextNs()).as("cancelled by another thread").isEqualTo(600);
      sessions.runReady();
      assertThat(sessions.nextNs()).isEqualTo(Long.MAX_VALUE);
    }
  }

  private static Object await(long durationNs) throws InterruptedException {
    Suspension.current().await(durationNs);
    return "waited";
  }

  @Test
  void shouldWaitInAnEventSpaceThatHasItsClock() throws Exception {
    Random random = new Random(Seeds.seed());
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS, random)) {
      EventSpace space =
          EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100), sessions.clock());
      List<Session<Event>> takers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Event template = new Event("id", i);
        takers.add(sessions.start("taker", () -> space.take(template, Duration.ofSeconds(5))));
      }
      sessions.start(
          "writer",
          () -> {
            for (int i = 0; i < 9; i++) {
              Suspension.current().await(SECOND_NS / 2);
              space.write(new Event("id", i));
            }
            return null;
          });
      sessions.runUntil(4 * SECOND_NS);
      assertThat(sessions.stats().completed()).isEqualTo(8);
      sessions.runUntil(5 * SECOND_NS);
      for (int i = 0; i < 9; i++) {
        assertThat(takers.get(i).await().value().getLong("id")).isEqualTo(i);
      }
      assertThat(takers.get(9).await().value()).isNull();
    }
  }

  @Test
  void shouldWakeNoneButTheOneForWhichThereIsAnEvent() throws Exception {
    int count = 1_000;
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      EventSpace space =
          EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100), sessions.clock());
      List<Session<Event>> takers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Event template = new Event("id", i);
        takers.add(sessions.start("taker", () -> space.take(template, Duration.ofSeconds(5))));
      }
      sessions.runReady();
      for (int i = count - 1; i >= 0; i--) {
        space.write(new Event("id", i));
        // the taker, and the next who looks after the others, if it was this one
        assertThat(sessions.runReady()).isBetween(1L, 2L);
        assertThat(takers.get(i).await().value().getLong("id")).isEqualTo(i);
      }
    }
  }

  @Test
  void shouldWakeASessionFromAnotherThreadByAnEvent() throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      EventSpace space =
          EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100), sessions.clock());
      Event template = new Event("id", 1);
      Session<Event> taker =
          sessions.start("taker", () -> space.take(template, Duration.ofSeconds(5)));
      sessions.runReady();
      Thread other = new Thread(() -> space.write(new Event("id", 1)));
      other.start();
      other.join();
      assertThat(sessions.runReady()).isEqualTo(1);
      assertThat(taker.await().value().getLong("id")).isEqualTo(1);
      assertThat(space.take(template, Duration.ZERO)).as("outside of sessions").isNull();
    }
  }

  @Test
  void shouldCancelASessionWhereverItWaitsAndNoOther() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      EventSpace space =
          EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100), sessions.clock());
      InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
      List<Session<?>> all =
          List.of(
              sessions.start("reader", pair.first()::readLine),
              sessions.start("taker", () -> space.take(new Event("a", 1), Duration.ofDays(1))),
              sessions.start("not begun", pair.second()::readLine));
      sessions.step();
      sessions.step();
      all.get(0).cancel();
      all.get(1).cancel();
      sessions.runReady();
      assertThat(all.get(0).outcome()).isInstanceOf(SessionOutcome.Cancelled.class);
      assertThat(all.get(1).outcome()).isInstanceOf(SessionOutcome.Cancelled.class);
      assertThat(all.get(2).outcome()).isNull();
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @Test
  void shouldKeepTheInterruptOfTheCallerFromItsSessions() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      AtomicBoolean seen = new AtomicBoolean();
      sessions.start(
          "looks",
          () -> {
            seen.set(Thread.currentThread().isInterrupted());
            return null;
          });
      Thread.currentThread().interrupt();
      sessions.runReady();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(seen).isFalse();
    }
  }

  @Test
  void shouldSeeWhatOtherThreadsResume() throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      InVmTransport.Pair pair = InVmTransport.pair(TransportSettings.DEFAULTS);
      Session<String> reader = sessions.start("reader", pair.first()::readLine);
      sessions.runReady();
      Thread other = new Thread(() -> writeQuietly(pair.second()));
      other.start();
      other.join();
      assertThat(sessions.runReady()).isEqualTo(1);
      assertThat(reader.await().value()).isEqualTo("from outside");
    }
  }

  private static void writeQuietly(Transport transport) {
    try {
      transport.writeLine("from outside");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void shouldNameASessionThatDoesNotEndWhenItIsCancelled() {
    SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS);
    sessions.start("stubborn", SteppedSessionsTest::waitForEver);
    assertThatThrownBy(sessions::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "1 sessions have not ended and wait, among them stubborn: their code goes on when it is"
                + " interrupted; mend it");
  }

  @Test
  void shouldGiveUpSessionsThatWakeEachOtherForEver() {
    SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS);
    Suspension[] places = new Suspension[2];
    sessions.start("ping", () -> wakeForEver(places, 0));
    sessions.start("pong", () -> wakeForEver(places, 1));
    assertThatThrownBy(sessions::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("2 sessions have not ended within 1000000 steps, among them p");
  }

  private static Object wakeForEver(Suspension[] places, int mine) {
    places[mine] = Suspension.current();
    while (true) {
      if (places[1 - mine] != null) {
        places[1 - mine].resume();
      }
      try {
        places[mine].await(Suspension.FOR_EVER_NS);
      } catch (InterruptedException goesOn) {
        // as badly written code does
      }
    }
  }

  private static Object waitForEver() {
    while (true) {
      try {
        Suspension.current().await(Suspension.FOR_EVER_NS);
      } catch (InterruptedException goesOn) {
        // as badly written code does
      }
    }
  }

  @Test
  void shouldRefuseTheUseByAnotherThreadAndAStepWithinAStep() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Session<Boolean> nested = sessions.start("nested", sessions::step);
      sessions.runReady();
      assertThat(nested.outcome()).isInstanceOf(SessionOutcome.Failed.class);
      List<Throwable> thrown = new ArrayList<>();
      Thread other = new Thread(sessions::step);
      other.setUncaughtExceptionHandler((_, e) -> thrown.add(e));
      other.start();
      other.join();
      assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldComeToTheEndOfTime() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      sessions.runUntil(Long.MAX_VALUE);
      Session<Object> late =
          sessions.start(
              "late",
              () -> {
                Suspension.current().await(1_000);
                return null;
              });
      sessions.runUntil(Long.MAX_VALUE);
      assertThat(late.outcome()).isNull();
    }
  }

  @Test
  void shouldKeepNothingOfATimerThatIsTakenBack() {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Suspension.Timer timer = sessions.timer(() -> {});
      timer.start(1_000_000);
      assertThat(sessions.nextNs()).isEqualTo(1_000_000);
      timer.cancel();
      assertThat(sessions.nextNs()).isEqualTo(Long.MAX_VALUE);
      sessions.runUntil(2_000_000);
      assertThat(sessions.steps()).as("nothing wakes any more").isZero();
    }
  }

  @Test
  void shouldNotRunATimerThatIsTakenBackBetweenItsTimeAndItsStep() throws Exception {
    shouldNotRunATimerThatIsTakenBackWhenReady(Suspension.Timer::cancel);
    shouldNotRunATimerThatIsTakenBackWhenReady(
        timer -> Thread.ofPlatform().start(timer::cancel).join());
  }

  private interface TakingBack {
    void takeBack(Suspension.Timer timer) throws InterruptedException;
  }

  private static void shouldNotRunATimerThatIsTakenBackWhenReady(TakingBack takingBack)
      throws InterruptedException {
    List<String> run = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Suspension.Timer timer = sessions.timer(() -> run.add("timer"));
      Session<Object> before =
          sessions.start(
              "before",
              () -> {
                Suspension.current().await(10);
                run.add("before");
                takingBack.takeBack(timer);
                return null;
              });
      sessions.runReady();
      timer.start(10);
      sessions.runUntil(20);
      assertThat(before.await()).isInstanceOf(SessionOutcome.Completed.class);
    }
    assertThat(run).containsExactly("before");
  }
}
