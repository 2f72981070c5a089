package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.scripted.Scripted;
import dev.takt.space.Abort;
import dev.takt.space.Commit;
import dev.takt.space.CommitJournal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A task that writes an event for each one that it takes goes on however few places are free: what
 * it takes makes room only when it commits.
 */
class FullSpaceTest {
  private static final Event OFFER = new Event("offer", null);
  private static final Event BOUGHT = new Event("bought", null);
  private static final Event FILLER = new Event("filler", null);

  private final AtomicInteger releases = new AtomicInteger();
  private EventSpace space;
  private ReflexRuntime runtime;

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  /** Makes a space with so many offers and free places. */
  private void make(int capacity, int offers, int free) {
    space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(capacity));
    runtime = ReflexRuntime.create(space, Settings.FOR_TESTS);
    Event event = new Event();
    for (int i = 0; i < offers; i++) {
      space.write(event.clear().add("offer", i));
    }
    fill();
    free(free);
  }

  private void fill() {
    Abort full =
        catchThrowableOfType(
            Abort.class,
            () -> {
              while (true) {
                space.write(new Event("filler", 1));
              }
            });
    assertThat(full.reason()).isEqualTo(Abort.Reason.SPACE_FULL);
  }

  private void free(int places) {
    for (int i = 0; i < places; i++) {
      assertThat(space.take(FILLER)).isNotNull();
    }
  }

  private Scripted buyer(Scripted.Script body) {
    return new Scripted(
        OFFER,
        task -> {
          releases.incrementAndGet();
          body.run(task);
        });
  }

  private static void buyEach(Scripted task) {
    Event bought = task.newEvent();
    for (Event offer : task.handle) {
      task.doWrite(bought.clear().add("bought", offer.getLong("offer")));
    }
  }

  private void runPassive(int offers, Scripted.Script body) {
    TaskControl control = runtime.passive("buyer", buyer(body), 10);
    runtime.start();
    assertThat(runtime.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(control.failure()).isNull();
    assertThat(space.count(OFFER)).isZero();
    assertThat(space.count(BOUGHT)).isEqualTo(offers);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 126})
  void shouldTakeAllMatchesWhenCapacityJustFits(int offers) {
    make(127, offers, 127 - offers);
    runPassive(offers, FullSpaceTest::buyEach);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 65, 10_000, 100_000})
  void shouldTakeAllMatchesWhenOnePlaceIsFree(int offers) {
    make(Math.max(127, offers + 1), offers, 1);
    runPassive(offers, FullSpaceTest::buyEach);
  }

  @Test
  void shouldTakeAllMatchesWhenTheyAreAskedForByHasNext() {
    make(127, 64, 1);
    Event into = new Event();
    runPassive(
        64,
        task -> {
          while (task.handle.hasNext() && task.handle.next(into)) {
            task.doWrite(new Event("bought", into.getLong("offer")));
          }
        });
  }

  @Test
  void shouldTakeAllMatchesWhenTwoHandlesShareOnePlace() {
    make(127, 64, 1);
    Handle[] second = new Handle[1];
    Scripted task =
        new Scripted(
            each -> {
              each.handle(each.doSubscribe(OFFER));
              second[0] = each.doSubscribe(FILLER);
            },
            each -> {
              buyEach(each);
              for (Event _ : second[0]) {
                each.doWrite(new Event("swept", 1));
              }
            });
    runtime.passive("buyer", task, 10);
    runtime.start();
    assertThat(runtime.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(space.count(BOUGHT)).isEqualTo(64);
    assertThat(space.count(new Event("swept", null))).isEqualTo(62);
  }

  @Test
  void shouldTakeAllMatchesWhenItTakesAndWritesItsStateBeside() {
    make(127, 64, 3);
    space.write(new Event("state", 0));
    runPassive(
        64,
        task -> {
          Event state = task.doTake(new Event("state", null));
          long bought = state.getLong("state");
          for (Event offer : task.handle) {
            bought++;
            task.doWrite(task.newEvent().add("bought", offer.getLong("offer")));
          }
          task.doWrite(task.newEvent().add("state", bought));
        });
    assertThat(space.take(new Event("state", null)).getLong("state")).isEqualTo(64);
  }

  @Test
  void shouldTakeAllMatchesWhenActive() {
    make(127, 64, 1);
    TaskControl control =
        runtime.active("buyer", buyer(FullSpaceTest::buyEach), Schedule.continuous());
    runtime.start();
    Await.until("all offers", () -> space.count(BOUGHT) == 64);
    assertThat(control.failure()).isNull();
  }

  @Test
  void shouldGiveMoreMatchesAgainWhenThereIsRoom() {
    make(20_000, 10_000, 1);
    runPassive(
        10_000,
        task -> {
          if (releases.get() == 20) {
            free(5_000);
          }
          buyEach(task);
        });
    assertThat(releases.get()).isLessThan(200);
  }

  @Test
  void shouldFailAndGoOnLaterWhenNotEvenOneEventFits() {
    make(127, 64, 0);
    TaskControl control = runtime.passive("buyer", buyer(FullSpaceTest::buyEach), 10);
    runtime.start();
    Await.until("more failures than are endured", () -> control.stats().failures() > 10);
    assertThat(control.isStopped()).isFalse();
    assertThat(control.failure()).isInstanceOf(Abort.class);
    free(1);
    assertThat(runtime.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(space.count(BOUGHT)).isEqualTo(64);
  }

  @Test
  void shouldFailAndGoOnLaterWhenTheJournalRefuses() {
    make(127, 64, 63);
    AtomicBoolean refuses = new AtomicBoolean(true);
    space
        .commits()
        .journal(
            new CommitJournal() {
              @Override
              public long prepare(Commit delta) {
                if (refuses.get()) {
                  throw CommitJournal.refused("the journal is full: bytes=9, limit=8; wait");
                }
                return 0;
              }

              @Override
              public void decided(long ticket, boolean committed) {}

              @Override
              public void await(long ticket) {}
            });
    TaskControl control = runtime.passive("buyer", buyer(FullSpaceTest::buyEach), 10);
    runtime.start();
    Await.until("more failures than are endured", () -> control.stats().failures() > 10);
    assertThat(control.isStopped()).isFalse();
    assertThat(control.failure()).hasMessageContaining("limit=8");
    assertThat(space.count(BOUGHT)).isZero();
    assertThat(space.count(OFFER)).isEqualTo(64);
    refuses.set(false);
    assertThat(runtime.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(space.count(BOUGHT)).isEqualTo(64);
  }
}
