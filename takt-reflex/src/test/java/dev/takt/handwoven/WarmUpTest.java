package dev.takt.handwoven;

import static dev.takt.handwoven.WovenReleaseTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.memory.Woven;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releases that are tried out before the first real one, and leave nothing behind. */
class WarmUpTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final AtomicLong observed = new AtomicLong();
  private final RuntimeSettings settings =
      RuntimeSettings.DEVELOPMENT
          .withWorkers(1)
          .withWarmUpNs(10_000_000_000L)
          .withListeners((task, s, b, e, outcome) -> observed.incrementAndGet());
  private ReflexRuntime runtime = ReflexRuntime.create(space, settings);

  @AfterEach
  void stop() {
    runtime.close();
  }

  private static WovenTask task(Consumer<WovenTask> warmUp, Consumer<WovenTask> execute) {
    return new WovenTask(10_000, 10_000, t -> {}, warmUp, execute);
  }

  @Test
  void shouldRunReleasesBeforeFirstRealOneAndLeaveNothingBehind() {
    AtomicInteger rehearsed = new AtomicInteger();
    AtomicInteger found = new AtomicInteger();
    WovenTask task =
        task(
            t -> {
              t.doWrite(new Event("a", 1));
              t.doWriteNow(new Event("a", 2));
            },
            t -> {
              t.count(t.count() + 1);
              t.account(Account.$takt$new().$takt$init(1));
              if (t.isRehearsed()) {
                rehearsed.incrementAndGet();
                assertThat(t.count()).isEqualTo(1);
                if (t.doTestNow(ANY_A)
                    && t.doTake(ANY_A).getLong("a") == 1
                    && t.doTakeNow(ANY_A).getLong("a") == 2) {
                  found.incrementAndGet();
                }
              }
            });
    TaskControl control = runtime.active("task", task, Schedule.periodic(3_600_000_000_000L));
    runtime.start();
    assertThat(rehearsed.get()).isGreaterThan(10).isEqualTo(found.get());
    await(() -> control.stats().commits() == 1);
    runtime.close();
    assertThat(task.count()).isEqualTo(1);
    assertThat(control.stats().releases()).isEqualTo(1);
    assertThat(observed.get()).isEqualTo(1);
    assertThat(control.failure()).isNull();
    assertThat(space.stats().events()).isZero();
  }

  @Test
  void shouldWarmUpEachClassOnce() {
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    runtime.active(
        "first",
        task(t -> first.incrementAndGet(), t -> {}),
        Schedule.periodic(3_600_000_000_000L));
    runtime.active(
        "second",
        task(t -> second.incrementAndGet(), t -> {}),
        Schedule.periodic(3_600_000_000_000L));
    runtime.start();
    assertThat(first.get()).isPositive();
    assertThat(second.get()).isZero();
  }

  @Test
  void shouldNotWarmUpWhenSwitchedOff() {
    runtime.close();
    runtime = ReflexRuntime.create(space, settings.withWarmUpNs(0));
    AtomicInteger runs = new AtomicInteger();
    runtime.active(
        "task", task(t -> runs.incrementAndGet(), t -> {}), Schedule.periodic(3_600_000_000_000L));
    runtime.start();
    assertThat(runs.get()).isZero();
  }

  @Test
  void shouldEndWarmUpAtFirstFailureAndRunTaskAllTheSame() {
    AtomicInteger runs = new AtomicInteger();
    TaskControl control =
        runtime.active(
            "task",
            task(
                t -> {
                  runs.incrementAndGet();
                  throw new IllegalStateException("not now");
                },
                t -> {}),
            Schedule.continuous());
    runtime.start();
    await(() -> control.stats().commits() > 0);
    assertThat(runs.get()).isEqualTo(1);
    assertThat(control.failure()).isNull();
  }

  @Test
  void shouldGoOnWarmingUpWhenReleasesAbort() {
    AtomicInteger runs = new AtomicInteger();
    runtime.active(
        "task",
        task(t -> runs.incrementAndGet(), WovenTask::doAbort),
        Schedule.periodic(3_600_000_000_000L));
    runtime.start();
    assertThat(runs.get()).isGreaterThan(10);
  }

  @Test
  void shouldEndWarmUpReleaseThatDoesNotEnd() {
    runtime.close();
    runtime =
        ReflexRuntime.create(space, settings.withWarmUpNs(5_000_000).withStopGraceNs(10_000_000));
    TaskControl control =
        runtime.active(
            "task",
            task(
                t -> {
                  while (true) {
                    WovenTask.backwardBranch();
                  }
                },
                t -> {}),
            Schedule.continuous());
    runtime.start();
    await(() -> control.stats().commits() > 0);
    assertThat(control.failure()).isNull();
    assertThat(control.isStopped()).isFalse();
  }

  /** Another task class, which is warmed up of its own. */
  @Woven(abi = Woven.ABI, verified = true)
  static final class Other extends WovenTask {
    Other(Consumer<WovenTask> warmUp) {
      super(10_000, 10_000, t -> {}, warmUp, t -> {});
    }
  }

  @Test
  void shouldEndWarmUpReleasesOfAllClassesThatDoNotEnd() {
    runtime.close();
    runtime =
        ReflexRuntime.create(space, settings.withWarmUpNs(5_000_000).withStopGraceNs(10_000_000));
    Consumer<WovenTask> endless =
        t -> {
          while (true) {
            WovenTask.backwardBranch();
          }
        };
    TaskControl first = runtime.active("first", task(endless, t -> {}), Schedule.continuous());
    TaskControl second = runtime.active("second", new Other(endless), Schedule.continuous());
    runtime.start();
    await(() -> first.stats().commits() > 0 && second.stats().commits() > 0);
    assertThat(first.failure()).isNull();
    assertThat(second.failure()).isNull();
  }
}
