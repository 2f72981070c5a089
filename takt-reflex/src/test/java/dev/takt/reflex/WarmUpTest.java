package dev.takt.reflex;

import static dev.takt.reflex.WovenReleaseTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Account;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releases that are tried out before the first real one, and leave nothing behind. */
class WarmUpTest {
  private static final Event ANY_A = new Event("a", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final AtomicLong observed = new AtomicLong();
  private final RuntimeSettings settings =
      Settings.FOR_TESTS
          .withWorkers(1)
          .withWarmUpNs(10_000_000_000L)
          .withListeners(_ -> observed.incrementAndGet());
  private ReflexRuntime runtime = ReflexRuntime.create(space, settings);

  @AfterEach
  void stop() {
    runtime.close();
  }

  private static Scripted task(Scripted.Script warmUp, Scripted.Script execute) {
    return new Scripted(10_000, 10_000, t -> {}, warmUp, execute);
  }

  @Test
  void shouldRunReleasesBeforeFirstRealOneAndLeaveNothingBehind() {
    AtomicInteger rehearsed = new AtomicInteger();
    AtomicInteger found = new AtomicInteger();
    Scripted task =
        task(
            t -> {
              t.doWrite(new Event("a", 1));
              t.doWriteNow(new Event("a", 2));
            },
            t -> {
              t.count(t.count() + 1);
              t.account(Account.of(1));
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
        task(t -> runs.incrementAndGet(), Scripted::doAbort),
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
                  t.spinUntil(() -> false);
                },
                t -> {}),
            Schedule.continuous());
    runtime.start();
    await(() -> control.stats().commits() > 0);
    assertThat(control.failure()).isNull();
    assertThat(control.isStopped()).isFalse();
  }

  /** Another task class, which is warmed up of its own. */
  static final class Other extends Scripted {
    Other(Scripted.Script warmUp) {
      super(10_000, 10_000, t -> {}, warmUp, t -> {});
    }
  }

  @Test
  void shouldEndWarmUpReleasesOfAllClassesThatDoNotEnd() {
    runtime.close();
    runtime =
        ReflexRuntime.create(space, settings.withWarmUpNs(5_000_000).withStopGraceNs(10_000_000));
    Scripted.Script endless =
        t -> {
          t.spinUntil(() -> false);
        };
    TaskControl first = runtime.active("first", task(endless, t -> {}), Schedule.continuous());
    TaskControl second = runtime.active("second", new Other(endless), Schedule.continuous());
    runtime.start();
    await(() -> first.stats().commits() > 0 && second.stats().commits() > 0);
    assertThat(first.failure()).isNull();
    assertThat(second.failure()).isNull();
  }
}
