package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Scripted;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many matches wait, a loop over them stays within the limits of its release. */
class ManyMatchesTest {
  private static final Event OFFER = new Event("offer", null);
  private static final Event BOUGHT = new Event("bought", null);

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(300_000).withMaxOperations(200));
  private final ReflexRuntime runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);
  private final AtomicInteger releases = new AtomicInteger();

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  private TaskControl run(int offers, Scripted.Script body) {
    Event offer = new Event();
    for (int i = 0; i < offers; i++) {
      space.write(offer.clear().add("offer", i));
    }
    TaskControl control =
        runtime.passive(
            "buyer",
            new Scripted(
                OFFER,
                task -> {
                  releases.incrementAndGet();
                  body.run(task);
                }),
            10);
    runtime.start();
    assertThat(runtime.drain(Duration.ofSeconds(60))).isTrue();
    assertThat(control.failure()).isNull();
    assertThat(space.count(OFFER)).isZero();
    return control;
  }

  private static void buy(Scripted task, Event offer) {
    task.doWrite(task.newEvent().add("bought", offer.getLong("offer")));
  }

  @Nested
  class Loop {
    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 100_000})
    void shouldTakeAllMatchesWhenEachNeedsAnEvent(int offers) {
      run(
          offers,
          task -> {
            for (Event offer : task.handle) {
              buy(task, offer);
            }
          });
      assertThat(space.count(BOUGHT)).isEqualTo(offers);
    }

    @Test
    void shouldTakeAllMatchesWhenTheyAreMoreThanTheOperationsOfATransaction() {
      AtomicInteger seen = new AtomicInteger();
      run(
          10_000,
          task -> {
            for (Event _ : task.handle) {
              seen.incrementAndGet();
            }
          });
      assertThat(seen.get()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 63})
    void shouldLeaveRoomForWhatFollowsTheLoopWhenEachMatchNeedsSeveralEvents(int each) {
      run(
          500,
          task -> {
            for (Event _ : task.handle) {
              for (int i = 0; i < each; i++) {
                task.newEvent();
              }
            }
            task.doWrite(task.newEvent().add("done", true));
          });
      assertThat(releases.get()).isGreaterThan(each);
    }

    @Test
    void shouldGiveOneMatchWhenHalfIsUsedBeforeTheLoop() {
      run(
          100,
          task -> {
            for (int i = 0; i < 50; i++) {
              task.newEvent();
            }
            for (Event offer : task.handle) {
              buy(task, offer);
            }
          });
      assertThat(releases.get()).isGreaterThanOrEqualTo(100);
      assertThat(space.count(BOUGHT)).isEqualTo(100);
    }

    @Test
    void shouldEndWhenAskedByHasNext() {
      Event into = new Event();
      run(
          10_000,
          task -> {
            while (task.handle.hasNext() && task.handle.next(into)) {
              buy(task, into);
            }
          });
      assertThat(space.count(BOUGHT)).isEqualTo(10_000);
    }
  }

  @Test
  void shouldNameTheSettingWhenAReleaseMakesTooManyEvents() {
    TaskControl control =
        runtime.active(
            "greedy",
            new Scripted(
                task -> {
                  for (int i = 0; i < 65; i++) {
                    task.newEvent();
                  }
                }),
            Schedule.continuous());
    runtime.start();
    Await.until("a failure", () -> control.failure() != null);
    assertThat(control.failure())
        .hasMessage(
            "too many events in one release: asked for 65, limit=64; make one event before the loop"
                + " and clear() it for each use, or raise RuntimeSettings.withMaxReleaseEvents");
  }
}
