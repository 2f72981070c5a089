package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.CpuScheduler;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.realtime.PassiveServer;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks of a runtime, by a clock that stands still while they run, so that all time is theirs. */
class ManagedRuntimeTest {
  private static final long MS = 1_000_000;
  private static final PassiveServer THREE_OF_TEN = new PassiveServer(3 * MS, 10 * MS);

  private static final AuthenticationClass COUNTED =
      new AuthenticationClass(
          "counted", 0, 1_000 * MS, 1_000 * MS, 1, false, OverrunPolicy.COUNT, 0);

  /** What is no part of a task, behind a reference that the runtime does not follow. */
  private static final AtomicReference<ManagedRuntimeTest> TEST = new AtomicReference<>();

  /** Takes some time by the clock. */
  static final class Timed extends ReflexTask {
    private final String name;
    private final int tookMs;

    Timed(String name, int tookMs) {
      this.name = name;
      this.tookMs = tookMs;
    }

    @Override
    public void execute() {
      TEST.get().release(name, tookMs);
    }
  }

  /** Takes one event, and a millisecond by the clock. */
  static final class Taking extends ReflexTask {
    private Handle events;

    @Override
    public void initialize() {
      events = subscribe(new Event("flood", null));
    }

    @Override
    public void execute() {
      if (events.next(event())) {
        TEST.get().release("passive", 1);
      }
    }
  }

  private final VirtualClock clock = new VirtualClock();
  private final EventSpace space = EventSpace.create();
  private final List<String> log = new CopyOnWriteArrayList<>();

  private final CpuManager manager =
      CpuManager.start(
          ManagerSettings.defaults()
              .withClock(clock)
              .withScheduler(CpuScheduler.portable())
              .withFactors(1, 1));

  private final ReflexRuntime runtime =
      ReflexRuntime.create(
          space,
          RuntimeSettings.DEFAULTS
              .withUncheckedTasks(true)
              .withWarmUpNs(0)
              .withClock(clock)
              .withScheduling(RuntimeScheduling.NONE)
              .withPassiveServer(THREE_OF_TEN)
              .withAdmission(manager.admission(COUNTED)));

  ManagedRuntimeTest() {
    TEST.set(this);
  }

  @AfterEach
  void close() {
    runtime.close();
    assertThat(manager.tasks()).isEmpty();
    manager.close();
  }

  private void release(String name, int tookMs) {
    long nowMs = clock.nanoTime() / MS;
    log.add(nowMs + " " + name);
    if (nowMs > 0) {
      clock.advance(tookMs * MS); // at 0 nothing takes time, so that all have the same origin
    }
  }

  private TaskControl active(String name, int periodMs, int budgetMs) {
    return runtime.active(
        name, new Timed(name, budgetMs), Schedule.periodic(periodMs * MS).budgetNs(budgetMs * MS));
  }

  private List<String> begun(int fromMs, int untilMs) {
    return log.stream()
        .filter(
            each -> {
              int atMs = Integer.parseInt(each.substring(0, each.indexOf(' ')));
              return atMs >= fromMs && atMs < untilMs;
            })
        .toList();
  }

  private void flood(int events) {
    for (int i = 0; i < events; i++) {
      space.write(new Event("flood", i));
    }
  }

  @Test
  void shouldLetTheTasksOfARuntimeTakeTurnsWithPlainOnes() throws InterruptedException {
    active("slow", 20, 5);
    TaskControl fast = active("fast", 10, 3);
    runtime.start();

    clock.runUntil(45 * MS, 6); // two tasks, and four threads of the manager

    assertThat(begun(10, 45))
        .containsExactly("10 fast", "20 fast", "23 slow", "30 fast", "40 fast", "43 slow");
    assertThat(fast.stats().misses()).isZero();
  }

  @Test
  void shouldServeAFloodWithinItsBudgetBesideAPeriodicTask() throws InterruptedException {
    TaskControl control = active("control", 10, 4);
    runtime.passive("passive", new Taking(), Schedule.onMatch());
    runtime.start();
    clock.runUntil(15 * MS, 5); // the worker sleeps by another clock while there is nothing to do
    flood(1_000);
    clock.awaitSleepers(5); // now it waits for its turn or for its budget

    clock.runUntil(500 * MS, 6);

    assertThat(control.stats().misses()).isZero();
    for (int fromMs = 20; fromMs < 480; fromMs++) {
      assertThat(begun(fromMs, fromMs + 10).stream().filter(each -> each.endsWith("passive")))
          .as("from %s", fromMs)
          .hasSizeLessThanOrEqualTo(6); // back to back
    }
    assertThat(begun(20, 480).stream().filter(each -> each.endsWith("passive")).count())
        .isBetween(1L, 3L * 47); // by this clock what others take may count as the worker's own
    assertThat(begun(20, 480).stream().filter(each -> each.endsWith("control"))).hasSize(46);
  }

  @Test
  void shouldGoOnByTimeAloneWhenTheManagerIsClosed() throws InterruptedException {
    active("left", 10, 1);
    runtime.start();
    clock.runUntil(15 * MS, 5);
    manager.close();
    clock.runUntil(45 * MS, 1);

    assertThat(begun(10, 45)).containsExactly("10 left", "20 left", "30 left", "40 left");
  }

  @Test
  void shouldReportTheServerAndWhatItServes() {
    runtime.passive("passive", new Taking(), Schedule.onMatch());

    assertThat(manager.tasks())
        .extracting(ManagedTask::name, ManagedTask::state, ManagedTask::costNs)
        .containsExactly(
            tuple("server of passive", ManagedTask.State.ADMITTED, 3 * MS),
            tuple("passive", ManagedTask.State.SERVED, 3 * MS));
  }
}
