package dev.takt.reflex;

import static dev.takt.reflex.WovenReleaseTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.RunningRelease;
import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A supervisor sees a release that does not end, and aborts it; its task goes on. */
class SupervisionTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(1));
  private final AtomicBoolean runsAway = new AtomicBoolean(true);

  @AfterEach
  void stop() {
    runsAway.set(false);
    runtime.close();
  }

  private void work(Scripted task) {
    task.count(task.count() + 1);
    task.doWrite(new Event("b", 1));
    task.spinUntil(() -> !runsAway.get());
  }

  private void shouldBeSeenAndAborted(TaskControl control, Scripted task, String thread) {
    await(() -> control.running() != null);
    RunningRelease release = control.running();
    assertThat(release.number()).isEqualTo(1);
    assertThat(release.thread().getName()).isEqualTo(thread);
    assertThat(release.beginNs() - release.dueNs()).isNotNegative();
    runsAway.set(true);
    assertThat(control.abortRelease(LONG)).isTrue();
    assertThat(control.stats().aborts()).isPositive();
    assertThat(control.stats().failures()).isZero();
    assertThat(control.stats().commits()).isZero();
    runsAway.set(false);
    space.write(new Event("a", 2));
    await(() -> control.stats().commits() > 0);
    runtime.close();
    assertThat(task.count()).isEqualTo((int) control.stats().commits());
    assertThat((long) space.count(new Event("b", null))).isEqualTo(control.stats().commits());
    assertThat(control.failure()).isNull();
  }

  @Test
  void shouldSeeAndAbortReleaseOfActiveTask() {
    Scripted task = new Scripted(this::work);
    TaskControl control = runtime.active("active", task, Schedule.periodic(1_000_000));
    runtime.start();
    shouldBeSeenAndAborted(control, task, "takt-active");
  }

  @Test
  void shouldSeeSinceWhenReleaseRunsWhenTaskTakesNoTimes() {
    Scripted task = new Scripted(new Event("a", null), t -> t.spinUntil(() -> !runsAway.get()));
    TaskControl control = runtime.passive("passive", task, Schedule.onMatch());
    runtime.start();
    runsAway.set(true);
    long beforeNs = System.nanoTime();
    space.write(new Event("a", 1));
    await(() -> control.running() != null);
    RunningRelease first = control.running();
    assertThat(first.beginNs() - beforeNs).isNotNegative();
    assertThat(System.nanoTime() - first.beginNs()).isNotNegative();
    assertThat(control.running()).isEqualTo(first);
    assertThat(control.abortRelease(LONG)).isTrue();
  }

  @Test
  void shouldSeeAndAbortReleaseOfPassiveTask() {
    Scripted task =
        new Scripted(
            new Event("a", null),
            t -> {
              t.doTake(new Event("a", null));
              work(t);
            });
    TaskControl control =
        runtime.passive("passive", task, Schedule.onMatch().deadlineNs(1_000_000));
    runtime.start();
    space.write(new Event("a", 1));
    shouldBeSeenAndAborted(control, task, "takt-worker-0");
  }

  /** Each release waits until the supervisor has seen it. */
  @Test
  void shouldSeeEachReleaseWhileItRuns() {
    AtomicLong seen = new AtomicLong();
    AtomicLong begun = new AtomicLong();
    Scripted task =
        new Scripted(
            t -> {
              long number = begun.incrementAndGet();
              t.spinUntil(() -> seen.get() >= number);
            });
    TaskControl control =
        runtime.active("active", task, Schedule.periodic(200_000).deadlineNs(100_000));
    runtime.start();
    for (int i = 0; i < 2_000; i++) {
      RunningRelease release = control.running();
      while (release == null || release.number() <= i) {
        Thread.onSpinWait();
        release = control.running();
      }
      assertThat(release.number()).isEqualTo(i + 1);
      seen.set(release.number());
    }
    seen.set(Long.MAX_VALUE);
  }
}
