package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.scripted.Scripted;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A task that swallows what ends its release gains nothing: the release does not commit. The
 * checker refuses such a task, or the weaver mends it; this is what happens to one that is not
 * woven.
 */
class SwallowedTest {
  private static final Event ANY = new Event("n", null);

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(100).withMaxOperations(50));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withMaxFailures(3));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  /** Runs a task that writes an event, does something, and swallows what that throws. */
  private TaskControl runSwallowing(Scripted.Script body) {
    AtomicInteger swallowed = new AtomicInteger();
    Scripted task =
        new Scripted(
            each -> {
              each.doWrite(each.into().clear().add("n", 1));
              swallow(each, body, swallowed);
            });
    TaskControl control = runtime.active("swallower", task, Schedule.continuous());
    runtime.start();
    Await.until("releases", () -> swallowed.get() >= 3);
    runtime.close();
    assertThat(space.count(ANY)).isZero();
    assertThat(control.stats().commits()).isZero();
    return control;
  }

  @SuppressWarnings({"finally", "Finally"}) // that is what is tried
  private static void swallow(Scripted task, Scripted.Script body, AtomicInteger swallowed) {
    try {
      body.run(task);
    } finally {
      swallowed.incrementAndGet();
      return;
    }
  }

  @Test
  void shouldFailWhenTooManyEventsAreAskedFor() {
    TaskControl control =
        runSwallowing(
            task -> {
              while (true) {
                task.newEvent();
              }
            });
    assertThat(control.failure())
        .isInstanceOf(TransientMemoryExhausted.class)
        .hasMessageStartingWith("too many events in one release: asked for 65, limit=64; ");
    assertThat(control.isStopped()).isTrue();
  }

  @Test
  void shouldFailWhenTooManyOperationsAreDone() {
    TaskControl control =
        runSwallowing(
            task -> {
              while (true) {
                task.doWrite(task.into().clear().add("n", 1));
              }
            });
    assertThat(control.failure()).isInstanceOf(Abort.class).hasMessageContaining("limit=50");
    assertThat(((Abort) control.failure()).reason()).isEqualTo(Abort.Reason.TOO_MANY_OPERATIONS);
  }

  @Test
  void shouldFailWhenTheSpaceIsFull() {
    for (int i = 0; i < 99; i++) {
      space.write(new Event("filler", i));
    }
    TaskControl control = runSwallowing(task -> task.doWrite(task.into().clear().add("n", 2)));
    assertThat(((Abort) control.failure()).reason()).isEqualTo(Abort.Reason.SPACE_FULL);
  }

  @Test
  void shouldAbortWhenAbortIsSwallowed() {
    TaskControl control = runSwallowing(Scripted::doAbort);
    assertThat(control.failure()).isNull();
    assertThat(control.stats().aborts()).isPositive();
  }

  @Test
  void shouldCommitWhenMisuseIsSwallowed() {
    TaskControl control =
        runtime.active(
            "swallower",
            new Scripted(
                task -> {
                  task.doWrite(task.into().clear().add("n", 1));
                  swallow(task, each -> each.doWrite(ANY), new AtomicInteger());
                }),
            Schedule.periodic(1_000_000));
    runtime.start();
    Await.until("a commit", () -> control.commits() > 0);
    assertThat(control.failure()).isNull();
  }
}
