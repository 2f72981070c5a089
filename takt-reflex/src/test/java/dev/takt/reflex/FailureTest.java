package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.scripted.Scripted;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failing task is seen at once, by whoever looks or does not. */
class FailureTest {
  private static final Event ANY_A = new Event("a", null);

  private final Logger logger = Logger.getLogger("dev.takt.reflex");
  private final List<LogRecord> log = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord each) {
          log.add(each);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));

  @BeforeEach
  void listen() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  private static void fail() {
    throw new IllegalArgumentException("broken");
  }

  @Test
  void shouldLogTheFirstFailureAndTheStopWhenNobodyAsks() {
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, Settings.FOR_TESTS.withMaxFailures(3))) {
      TaskControl control =
          runtime.active("broken", new Scripted(task -> fail()), Schedule.continuous());
      runtime.start();
      Await.until("the stop", () -> control.isStopped() && log.size() >= 2);
    }
    assertThat(log).hasSize(2);
    assertThat(log.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(log.get(0).getMessage()).isEqualTo("task broken: a release failed");
    assertThat(log.get(0).getThrown()).isInstanceOf(IllegalArgumentException.class);
    assertThat(log.get(0).getThrown().getStackTrace()[0].getMethodName()).isEqualTo("fail");
    assertThat(log.get(1).getLevel()).isEqualTo(Level.SEVERE);
    assertThat(log.get(1).getMessage())
        .isEqualTo(
            "task broken is stopped and never released again, after 3 failed releases, the last:"
                + " java.lang.IllegalArgumentException: broken; mend the cause, or raise"
                + " RuntimeSettings.withMaxFailures, in a host --max-failures (3 in a row)");
  }

  @Test
  void shouldLogWhereTheTaskWasWhenTheSpaceWasFull() {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1));
    small.write(new Event("a", 1));
    try (ReflexRuntime runtime =
        ReflexRuntime.create(small, Settings.FOR_TESTS.withMaxFailures(3))) {
      TaskControl control =
          runtime.active("writer", new Scripted(FailureTest::writeTooMuch), Schedule.continuous());
      runtime.start();
      Await.until("some failures", () -> control.stats().failures() > 5);
      assertThat(control.isStopped()).isFalse();
      assertThat(control.failure()).isSameAs(log.getFirst().getThrown());
    }
    assertThat(log).hasSize(1);
    assertThat(log.getFirst().getThrown())
        .isInstanceOf(Abort.class)
        .satisfies(
            abort ->
                assertThat(abort.getStackTrace())
                    .anyMatch(line -> line.getMethodName().equals("writeTooMuch")));
  }

  private static void writeTooMuch(Scripted task) {
    task.doWrite(task.into().clear().add("b", 1));
  }

  @Test
  void shouldLogWhereTheTaskWasWhenItDidTooManyOperations() {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withMaxOperations(1));
    try (ReflexRuntime runtime =
        ReflexRuntime.create(small, Settings.FOR_TESTS.withMaxFailures(2))) {
      TaskControl control =
          runtime.active(
              "writer",
              new Scripted(
                  task -> {
                    while (true) {
                      writeTooMuch(task);
                    }
                  }),
              Schedule.continuous());
      runtime.start();
      Await.until("the stop", () -> control.isStopped() && log.size() == 2);
      assertThat(control.failure().getStackTrace())
          .anyMatch(line -> line.getMethodName().equals("writeTooMuch"));
    }
  }

  @Test
  void shouldSayWhereInitializeHasAborted() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      runtime.active("broken", new Scripted(Scripted::doAbort, task -> {}), Schedule.continuous());
      Throwable refusal = org.assertj.core.api.Assertions.catchThrowable(runtime::start);
      assertThat(refusal)
          .hasMessage(
              "task broken failed to initialize: initialize() has called abort(); let it return,"
                  + " and abort in execute()");
      assertThat(refusal.getCause().getStackTrace())
          .anyMatch(line -> line.getMethodName().equals("doAbort"));
    }
    assertThat(log).isEmpty();
  }

  @Test
  void shouldCountLaterFailuresOnceInTenSeconds() {
    AtomicLong nowNs = new AtomicLong();
    AtomicLong releases = new AtomicLong();
    RuntimeSettings settings =
        Settings.FOR_TESTS.withMaxFailures(Integer.MAX_VALUE).withClock(nowNs::get);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      runtime.active(
          "broken",
          new Scripted(
              task -> {
                if (releases.incrementAndGet() <= 201) {
                  nowNs.addAndGet(100_000_000);
                  fail();
                }
              }),
          Schedule.continuous());
      runtime.start();
      Await.until("201 failures", () -> releases.get() > 201);
    }
    assertThat(log.stream().map(LogRecord::getMessage))
        .containsExactly(
            "task broken: a release failed",
            "task broken: 101 failures until now, the last: java.lang.IllegalArgumentException:"
                + " broken",
            "task broken: 201 failures until now, the last: java.lang.IllegalArgumentException:"
                + " broken");
  }

  @Test
  void shouldTellTheHandlerInsteadOfTheLog() {
    List<String> told = new CopyOnWriteArrayList<>();
    RuntimeSettings settings =
        Settings.FOR_TESTS
            .withMaxFailures(2)
            .withFailureHandler(
                (task, failure) ->
                    told.add(task.name() + " " + failure.getMessage() + " " + task.isStopped()));
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      runtime.active("broken", new Scripted(task -> fail()), Schedule.continuous());
      runtime.start();
      Await.until("two failures", () -> told.size() == 2);
    }
    assertThat(told).containsExactly("broken broken false", "broken broken true");
    assertThat(log).isEmpty();
  }

  @Test
  void shouldLogWhatTheHandlerThrows() {
    RuntimeSettings settings =
        Settings.FOR_TESTS
            .withMaxFailures(1)
            .withFailureHandler(
                (task, failure) -> {
                  throw new IllegalStateException("handler");
                });
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      runtime.active("broken", new Scripted(task -> fail()), Schedule.continuous());
      runtime.start();
      Await.until("a line", () -> !log.isEmpty());
    }
    assertThat(log.get(0).getThrown()).hasMessage("handler");
  }

  @Test
  void shouldNotLogWhatInitializeThrowsToTheCaller() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      runtime.active("broken", new Scripted(task -> fail(), task -> {}), Schedule.continuous());
      assertThat(org.assertj.core.api.Assertions.catchThrowable(runtime::start))
          .hasMessageContaining("task broken failed to initialize")
          .hasRootCauseMessage("broken");
    }
    assertThat(log).isEmpty();
  }

  @Test
  void shouldListTasksInOrderOfRegistration() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      assertThat(runtime.tasks()).isEmpty();
      TaskControl passive = runtime.passive("p", new Scripted(ANY_A, task -> {}), 1);
      TaskControl active = runtime.active("a", new Scripted(task -> {}), Schedule.continuous());
      assertThat(runtime.tasks()).containsExactly(passive, active);
    }
  }

  @Test
  void shouldSayFalseOnDrainWhenMatchesLieThereWhoseTaskIsStopped() {
    RuntimeSettings settings = Settings.FOR_TESTS.withMaxFailures(1);
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings)) {
      TaskControl control = runtime.passive("p", new Scripted(ANY_A, task -> fail()), 1);
      runtime.start();
      space.write(new Event("a", 1));
      Await.until("the stop", control::isStopped);
      assertThat(runtime.drain(Duration.ofSeconds(10))).isFalse();
      assertThat(log.getLast().getMessage())
          .isEqualTo("drain: events are left for task p, which was stopped: 1 match of [a: *]");
      space.take(ANY_A);
      assertThat(runtime.drain(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void shouldSayFalseOnDrainWhenMatchesLieThereForAnActiveTask() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      runtime.active(
          "late", new Scripted(ANY_A, task -> {}), Schedule.periodic(3_600_000_000_000L));
      runtime.start();
      space.write(new Event("a", 1));
      space.write(new Event("a", 2));
      assertThat(runtime.drain(Duration.ofSeconds(10))).isFalse();
      assertThat(log.stream().map(LogRecord::getMessage))
          .containsExactly(
              "drain: events are left for task late, which has ended, as active tasks do when the"
                  + " runtime drains; wait for it before, or make it passive: 2 matches of [a: *]");
      space.takeAll(ANY_A, 10, event -> {});
      assertThat(runtime.drain(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void shouldSayOnDrainWhatIsLeftWhenTheSpaceIsFull() {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1));
    small.write(new Event("a", 1));
    try (ReflexRuntime runtime = ReflexRuntime.create(small, Settings.FOR_TESTS)) {
      TaskControl control =
          runtime.passive("writer", new Scripted(ANY_A, FailureTest::writeTooMuch), 1);
      runtime.start();
      Await.until("a failure", () -> control.stats().failures() > 0);
      assertThat(runtime.drain(Duration.ofMillis(50))).isFalse();
    }
    assertThat(log.getLast().getMessage())
        .startsWith("drain: events are left for task writer, which was not done in time, failures=")
        .contains(", the first: dev.takt.space.Abort: the space is full: capacity=1 events;")
        .endsWith(": 1 match of [a: *]");
  }

  @Test
  void shouldLogASubscriptionThatNeverMatchedWhenItsValueIsMistyped() {
    for (int i = 0; i < 3; i++) {
      space.write(new Event("type", "offer").add("price", i));
    }
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      runtime.passive("buyer", new Scripted(new Event("type", "offr"), task -> {}), 1);
      runtime.start();
      Unmatched.lookLater(runtime, 1);
      Await.until("a line", () -> !log.isEmpty());
    }
    assertThat(log.getFirst().getMessage())
        .isEqualTo(
            "subscription [type: \"offr\"] of buyer never matched; 3 events have as type the value"
                + " \"offer\", the template asks for \"offr\": did you mean \"offer\"?");
  }

  @Test
  void shouldNotSpeakOfMaxFailuresWhenAReleaseWasEndedByForce() {
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      Scripted endless =
          new Scripted(
              task -> {
                throw TaskMemory.current().rollbackOnly(new ReleaseStopped("endless", "here"));
              });
      runtime.active("endless", endless, Schedule.continuous());
      runtime.start();
      Await.until("the stop", () -> log.size() == 2);
    }
    assertThat(log.getFirst().getThrown().getStackTrace()).isNotEmpty();
    assertThat(log.get(1).getMessage())
        .isEqualTo(
            "task endless is stopped and never released again, because its release did not end by"
                + " itself: dev.takt.reflex.limit.ReleaseStopped: task endless: the release was"
                + " ended because it did not end by itself, at here; make its loops end, or give"
                + " stop() more time");
  }

  @Test
  void shouldSayOneFailedReleaseWhenItIsOne() {
    try (ReflexRuntime runtime =
        ReflexRuntime.create(space, Settings.FOR_TESTS.withMaxFailures(1))) {
      TaskControl control =
          runtime.active("broken", new Scripted(task -> fail()), Schedule.continuous());
      runtime.start();
      Await.until("the stop", () -> log.size() == 2);
      assertThat(control)
          .hasToString(
              "active task broken (priority=10, releases=1, commits=0, failures=1, stopped)");
    }
    assertThat(log.get(1).getMessage()).contains(", after 1 failed release, the last: ");
  }

  @Test
  void shouldLogOnceASubscriptionThatNeverMatchedAndSayWhatWasMeant() {
    String line =
        "subscription [type: \"served\", latncyMs: *] of latency-watch never matched; 3 events have"
            + " instead of latncyMs the key latencyMs (type, latencyMs): did you mean latencyMs?";
    for (int i = 0; i < 3; i++) {
      space.write(new Event("type", "served").add("latencyMs", i));
    }
    try (ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS)) {
      Event mistyped = new Event("type", "served").add("latncyMs", null);
      runtime.passive("latency-watch", new Scripted(mistyped, task -> {}), 1);
      runtime.start();
      Unmatched.lookLater(runtime, 1);
      Await.until("a line", () -> !log.isEmpty());
      assertThat(runtime.drain(Duration.ofSeconds(10))).isTrue();
    }
    assertThat(log.stream().map(LogRecord::getMessage)).containsExactly(line);
  }
}
