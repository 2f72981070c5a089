package dev.takt.reflex;

import static dev.takt.reflex.WovenReleaseTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releases that do not end by themselves are ended, undone, and their tasks stopped. */
class StopTest {
  private static final Event ANY_A = new Event("a", null);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final RuntimeSettings settings =
      Settings.FOR_TESTS.withWorkers(1).withWarmUpNs(0).withStopGraceNs(20_000_000_000L);
  private final ReflexRuntime runtime = ReflexRuntime.create(space, settings);
  private final AtomicBoolean inside = new AtomicBoolean();
  private final AtomicBoolean letGo = new AtomicBoolean();

  @AfterEach
  void stop() {
    letGo.set(true);
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  private Scripted runaway() {
    return new Scripted(
        task -> {
          task.count(task.count() + 1);
          task.doWrite(new Event("b", 1));
          inside.set(true);
          task.spinUntil(letGo::get);
        });
  }

  private void shouldBeEnded(TaskControl control, Scripted task) {
    assertThat(runtime.stop(SHORT)).isTrue();
    assertThat(control.isStopped()).isTrue();
    assertThat(control.failure())
        .isInstanceOf(ReleaseStopped.class)
        .hasMessageStartingWith("task runaway: the release was ended")
        .hasMessageContaining("dev.takt.scripted.Scripted.spinUntil(Scripted.java:");
    assertThat(task.count()).isZero();
    assertThat(space.count(new Event("b", null))).isZero();
    assertThat(control.stats().failures()).isEqualTo(1);
  }

  @Test
  void shouldEndActiveReleaseAndUndoIt() {
    Scripted task = runaway();
    TaskControl control = runtime.active("runaway", task, Schedule.continuous());
    runtime.start();
    await(inside::get);
    shouldBeEnded(control, task);
  }

  @Test
  void shouldEndReleaseThatSwallowsTheError() {
    Scripted task =
        new Scripted(
            t -> {
              inside.set(true);
              for (int i = 0; i < 3; i++) {
                try {
                  t.spinUntil(letGo::get);
                } catch (ReleaseStopped swallowed) {
                  t.count(i);
                }
              }
            });
    TaskControl control = runtime.active("runaway", task, Schedule.continuous());
    runtime.start();
    await(inside::get);
    assertThat(runtime.stop(SHORT)).isTrue();
    assertThat(control.stats().commits()).isZero();
    assertThat(task.count()).isZero();
  }

  @Test
  void shouldEndRunawayInitialize() {
    Scripted task =
        new Scripted(
            0,
            10_000,
            t -> {
              inside.set(true);
              t.spinUntil(letGo::get);
            },
            t -> {},
            t -> {});
    runtime.active("runaway", task, Schedule.continuous());
    AtomicInteger failures = new AtomicInteger();
    Thread starter =
        new Thread(
            () -> {
              try {
                runtime.start();
              } catch (IllegalStateException expected) {
                failures.incrementAndGet();
              }
            });
    starter.start();
    await(inside::get);
    assertThat(runtime.stop(SHORT)).isTrue();
    await(() -> failures.get() == 1);
  }

  @Test
  void shouldOnlyEndReleasesThatAreAsked() {
    EventSpace otherSpace = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100));
    try (ReflexRuntime other = ReflexRuntime.create(otherSpace, settings)) {
      TaskControl bystander =
          other.active(
              "bystander",
              new Scripted(
                  t -> {
                    AtomicInteger turns = new AtomicInteger();
                    t.spinUntil(() -> turns.incrementAndGet() == 100);
                    t.count(t.count() + 1);
                  }),
              Schedule.continuous());
      other.start();
      Scripted task = runaway();
      TaskControl control = runtime.active("runaway", task, Schedule.continuous());
      runtime.start();
      await(inside::get);
      shouldBeEnded(control, task);
      long before = bystander.stats().commits();
      await(() -> bystander.stats().commits() > before + 100);
      assertThat(bystander.failure()).isNull();
    }
  }

  @Test
  void shouldRunSameClassAgainAfterwards() {
    Scripted task = runaway();
    TaskControl control = runtime.active("runaway", task, Schedule.continuous());
    runtime.start();
    await(inside::get);
    shouldBeEnded(control, task);
    try (ReflexRuntime next = ReflexRuntime.create(space, settings)) {
      TaskControl good =
          next.active("good", new Scripted(t -> t.spinUntil(() -> true)), Schedule.continuous());
      next.start();
      await(() -> good.stats().commits() > 100);
      assertThat(good.failure()).isNull();
    }
  }

  @Test
  void shouldReturnFalseWhenReleaseHangsOutsideOfWovenCode() {
    try (ReflexRuntime impatient =
        ReflexRuntime.create(space, settings.withStopGraceNs(10_000_000))) {
      impatient.active(
          "runaway",
          new Scripted(
              t -> {
                inside.set(true);
                while (!letGo.get()) {
                  Thread.onSpinWait();
                }
                t.doWrite(new Event("a", 1));
              }),
          Schedule.continuous());
      impatient.start();
      await(inside::get);
      assertThat(impatient.stop(SHORT)).isFalse();
      letGo.set(true);
      assertThat(impatient.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(space.count(ANY_A)).isEqualTo(1);
  }

  @Test
  void shouldNotStopThreadsWithoutRelease() {
    new Scripted(t -> {}).spinUntil(() -> true);
    assertThat(dev.takt.reflex.woven.TaskMemory.stop()).isNull();
    assertThatThrownBy(() -> StopSiteMisuse.link())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("()boolean");
  }

  private static final class StopSiteMisuse {
    static void link() {
      dev.takt.realtime.stop.StopSwitch.bootstrap(
          java.lang.invoke.MethodHandles.lookup(),
          "x",
          java.lang.invoke.MethodType.methodType(int.class));
    }
  }
}
