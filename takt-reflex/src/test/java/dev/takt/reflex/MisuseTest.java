package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each wrong use has its error, which names the task and the remedy. */
class MisuseTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100));
  private final ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private static final List<Scripted.Script> OPERATIONS =
      List.of(
          task -> task.doWrite(new Event("a", 1)),
          task -> task.doWriteNow(new Event("a", 1)),
          task -> task.doTake(ANY_A),
          task -> task.doTake(ANY_A, new Event()),
          task -> task.doPoll(ANY_A),
          task -> task.doPoll(ANY_A, new Event()),
          task -> task.doTakeNow(ANY_A),
          task -> task.doTest(ANY_A),
          task -> task.doTestNow(ANY_A),
          task -> task.newEvent(),
          task -> task.doSubscribe(ANY_A),
          task -> task.doUnsubscribe(task.handle),
          task -> task.doAbort());

  @Test
  void shouldRefuseOperationsOfUnregisteredTask() {
    Scripted task = new Scripted(t -> {});
    for (Scripted.Script operation : OPERATIONS) {
      assertThatThrownBy(() -> operation.run(task))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              Scripted.class.getName()
                  + " is not registered; register it with ReflexRuntime.active or passive, and use"
                  + " its operations in initialize() and execute() only");
    }
  }

  @Test
  void shouldRefuseOperationsOutsideOfRelease() {
    Scripted task = new Scripted(ANY_A, t -> {});
    runtime.passive("t", task, 10);
    runtime.start();
    for (Scripted.Script operation : OPERATIONS) {
      assertThatThrownBy(() -> operation.run(task))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("t is not in a release");
    }
    assertThat(space.stats().events()).isZero();
  }

  @Test
  void shouldRefuseHandleOutsideOfReleaseAndAfterStop() {
    Scripted task = new Scripted(ANY_A, t -> {});
    runtime.passive("t", task, 10);
    runtime.start();
    for (Consumer<Handle> use :
        List.<Consumer<Handle>>of(
            Handle::next, Handle::nextNow, Handle::hasNext, h -> h.iterator().hasNext())) {
      assertThatThrownBy(() -> use.accept(task.handle))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("task t is not in a release");
    }
    assertThat(task.handle.hasNextNow()).isFalse();
    runtime.close();
    assertThatThrownBy(() -> task.handle.next())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unsubscribe");
  }

  @Test
  void shouldRefuseEventAfterItsRelease() {
    AtomicReference<Event> taken = new AtomicReference<>();
    AtomicReference<Event> made = new AtomicReference<>();
    space.write(new Event().add("a", 1));
    TaskControl control =
        runtime.passive(
            "t",
            new Scripted(
                ANY_A,
                task -> {
                  taken.set(task.doTake(ANY_A));
                  made.set(task.newEvent().add("b", 2));
                }),
            10);
    runtime.start();
    Await.until("the release", () -> control.stats().commits() == 1);
    runtime.close();
    assertThatThrownBy(() -> taken.get().getLong("a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> made.get().add("c", 3)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.write(made.get())).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldReuseEventThatFoundNothing() {
    AtomicInteger runs = new AtomicInteger();
    TaskControl control =
        runtime.active(
            "t",
            new Scripted(
                task -> {
                  for (int i = 0; i < 1_000; i++) {
                    if (task.doTake(ANY_A) != null || task.doTakeNow(ANY_A) != null) {
                      throw new AssertionError("a match");
                    }
                  }
                  runs.incrementAndGet();
                }),
            Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("a release", () -> runs.get() > 0 && control.stats().commits() > 0);
    assertThat(control.failure()).isNull();
  }

  @Test
  void shouldReportTooManyEventsInOneRelease() {
    TaskControl control =
        runtime.active(
            "t",
            new Scripted(
                task -> {
                  for (int i = 0; i <= runtime.settings().maxReleaseEvents(); i++) {
                    task.newEvent();
                  }
                }),
            Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("the failure", () -> control.failure() != null);
    assertThat(control.failure()).hasMessageContaining("limit=64");
  }

  @Test
  void shouldRefuseForeignAndEndedHandles() {
    AtomicReference<Handle> other = new AtomicReference<>();
    TaskControl first =
        runtime.active(
            "first",
            new Scripted(t -> other.set(t.doSubscribe(ANY_A)), t -> {}),
            Schedule.periodic(1_000_000));
    TaskControl second =
        runtime.active(
            "second", new Scripted(t -> t.doUnsubscribe(other.get())), Schedule.periodic(100_000));
    TaskControl third =
        runtime.active(
            "third",
            new Scripted(
                t -> {
                  Handle handle = t.doSubscribe(ANY_A);
                  t.doUnsubscribe(handle);
                  t.doUnsubscribe(handle);
                }),
            Schedule.periodic(100_000));
    runtime.start();
    Await.until("failures", () -> second.failure() != null && third.failure() != null);
    assertThat(first.failure()).isNull();
    assertThat(second.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no such subscription");
    assertThat(third.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no such subscription");
  }

  @Test
  void shouldRefuseEmptyTemplateInSubscription() {
    runtime.passive("t", new Scripted(new Event(), t -> {}), 10);
    assertThatThrownBy(runtime::start).hasMessageContaining("task t failed to initialize");
  }

  @Test
  void shouldRefusePassiveTaskWithoutSubscription() {
    runtime.passive("t", new Scripted(t -> {}), 10);
    assertThatThrownBy(runtime::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "passive task t has no subscriptions, so it would never be released; subscribe in"
                + " initialize(), or register it as active");
  }

  @Test
  void shouldRefuseSecondTaskOfSameNameAndSecondRegistration() {
    Scripted task = new Scripted(t -> {});
    runtime.active("t", task, Schedule.periodic(1));
    assertThatThrownBy(() -> runtime.passive("t", new Scripted(t -> {}), 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a task named t is registered already; give each task its own name");
    assertThatThrownBy(() -> runtime.active("u", task, Schedule.periodic(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "cannot register u: the same object is registered as t; make one object for each task");
  }

  @Test
  void shouldRefuseMoreTasksThanLimit() {
    ReflexRuntime small = ReflexRuntime.create(space, Settings.FOR_TESTS.withMaxTasks(1));
    small.passive("one", new Scripted(t -> {}), 10);
    assertThatThrownBy(() -> small.passive("two", new Scripted(t -> {}), 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot register two: maxTasks=1; raise RuntimeSettings.maxTasks");
    small.close();
  }

  @Test
  void shouldRefuseCallsThatComeTooLate() {
    runtime.start();
    assertThatThrownBy(runtime::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the runtime is RUNNING; it starts once, make a new one");
    runtime.drain(Duration.ofSeconds(10));
    assertThatThrownBy(() -> runtime.passive("t", new Scripted(t -> {}), 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the runtime is DRAINING");
    runtime.close();
    assertThatThrownBy(runtime::start).hasMessageContaining("STOPPED");
    assertThatThrownBy(() -> runtime.drain(Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot drain: the runtime is STOPPED; drain between start() and stop()");
    assertThatThrownBy(() -> runtime.active("t", new Scripted(t -> {}), Schedule.periodic(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("make a new runtime");
  }

  @Test
  void shouldRefuseDrainBeforeStart() {
    assertThatThrownBy(() -> runtime.drain(Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NEW");
  }

  @Test
  void shouldRefuseValuesOutOfRange() {
    assertThatThrownBy(() -> Schedule.periodic(0)).hasMessageContaining("periodNs=0");
    assertThatThrownBy(() -> Schedule.periodic(-1))
        .hasMessage("periodNs=-1 (expected: 1 to 2^60 nanoseconds)");
    assertThatThrownBy(() -> Schedule.periodic(1).deadlineNs(-1))
        .hasMessageContaining("deadlineNs=-1");
    assertThatThrownBy(() -> Schedule.periodic(1).budgetNs(-1)).hasMessageContaining("budgetNs=-1");
    assertThatThrownBy(() -> Schedule.periodic(1).priority(100))
        .hasMessage("priority=100 (expected: 0 to 99)");
    assertThatThrownBy(() -> runtime.passive("t", new Scripted(t -> {}), -1))
        .hasMessage("priority=-1 (expected: 0 to 99)");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withWorkers(0))
        .hasMessage("workers=0 (expected: 1 to 64)");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withMaxTasks(0)).hasMessageContaining("maxTasks=0");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withMaxFailures(0))
        .hasMessageContaining("maxFailures=0");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withMaxReleaseEvents(0))
        .hasMessageContaining("maxReleaseEvents=0");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withWarmUpNs(-1))
        .hasMessage("warmUpNs=-1 (expected: 0 to " + (1L << 60) + ")");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withStopGraceNs(-1))
        .hasMessageContaining("stopGraceNs=-1");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withMaxAtomicEntries(0))
        .hasMessageContaining("maxAtomicEntries=0");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withAtomicTimeoutNs(-1))
        .hasMessageContaining("atomicTimeoutNs=-1");
    assertThatThrownBy(() -> Settings.FOR_TESTS.withClock(null))
        .isInstanceOf(NullPointerException.class);
    class Negative extends ReflexTask {
      Negative() {
        super(-1, 0);
      }

      @Override
      public void execute() {}
    }
    assertThatThrownBy(Negative::new)
        .hasMessage("transientSizeBytes=-1, stableSizeBytes=0 (expected: both at least 0)");
  }
}
