package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerEvent.Kind;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Sleeper;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was admitted and could not be started leaves nothing behind. */
class StartFailureTest {
  private static final long MS = 1_000_000;
  private static final OutOfMemoryError FULL = new OutOfMemoryError("made up by a test");

  private final List<ManagerEvent> events = new CopyOnWriteArrayList<>();
  private volatile boolean full;

  private final ManagerSettings settings =
      ManagerSettings.defaults()
          .withScheduler(CpuScheduler.fixedPriority())
          .withEvents(events::add);

  private final ProcessorsApart places = new ProcessorsApart(settings);

  @AfterEach
  void close() {
    places.close();
  }

  /** A thread of a task needs a sleeper. */
  private final class FullClock implements NanoClock {
    @Override
    public long nanoTime() {
      return NanoClock.system().nanoTime();
    }

    @Override
    public Sleeper newSleeper() {
      full();
      return NanoClock.system().newSleeper();
    }
  }

  private void full() {
    if (full) {
      throw FULL;
    }
  }

  private static Profile half(String name, int rank) {
    return Profile.of(name, 100 * MS)
        .withBudgetNs(50 * MS)
        .in(
            new AuthenticationClass(
                "rank " + rank, rank, 100 * MS, 100 * MS, 1, true, OverrunPolicy.COUNT, 50 * MS));
  }

  @Test
  void shouldGiveTheShareOfATaskBackWhoseThreadCannotBeMade() {
    try (CpuManager manager = CpuManager.start(settings.withClock(new FullClock()))) {
      full = true;
      assertThatThrownBy(() -> manager.register(half("task", 0), () -> {})).isSameAs(FULL);
      full = false;

      assertThat(manager.tasks()).isEmpty();
      assertThat(events)
          .extracting(ManagerEvent::kind)
          .filteredOn(each -> each != Kind.SHORTFALL) // of who may not have priorities
          .containsExactly(Kind.ADMITTED, Kind.ENDED);
      assertThat(manager.register(half("task", 0), () -> {}).state()).isEqualTo(State.ADMITTED);
    }
  }

  @Test
  void shouldUndoAnAdmissionWhenWhatFollowsItThrows() {
    ManagedTasks tasks = new ManagedTasks(settings, places, this::full);
    ManagedTask low = tasks.decide(half("low", 0), null, "");
    low.subject(new IdleSubject());
    assertThat(low.state()).isEqualTo(State.ADMITTED);

    full = true;
    assertThatThrownBy(() -> tasks.decide(half("other", 0).withBudgetNs(MS), null, ""))
        .isSameAs(FULL);

    assertThat(tasks.all()).containsExactly(low);
    assertThat(tasks.control().find("other")).isEmpty();
    assertThat(tasks.control().find("low")).isPresent();
  }

  @Test
  void shouldTakeBackWhatDisplacedATaskThatCannotBeDemoted() {
    ManagedTasks tasks = new ManagedTasks(settings, places, () -> {});
    ManagedTask low = tasks.decide(half("low", 0), null, "");
    low.subject(new IdleSubject()); // which throws when it is demoted

    assertThatThrownBy(() -> tasks.decide(half("high", 1), null, ""))
        .isInstanceOf(AssertionError.class);

    assertThat(tasks.all()).containsExactly(low);
    assertThat(tasks.control().find("high")).isEmpty();
  }
}
