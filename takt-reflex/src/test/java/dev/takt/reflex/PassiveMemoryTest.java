package dev.takt.reflex;

import static dev.takt.reflex.WovenReleaseTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Node;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import dev.takt.space.SpaceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Passive tasks: their memory is theirs, their transient objects are the workers'. */
class PassiveMemoryTest {
  private static final int TASKS = 20;
  private static final int EVENTS = 500;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(20_000));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(space, Settings.FOR_TESTS.withWorkers(3).withWarmUpNs(5_000_000));

  @AfterEach
  void stop() {
    runtime.close();
  }

  /** Sums what it takes, by way of a list; aborts now and then with the list half used. */
  static final class Summing extends ReflexTask {
    private final int number;
    private Handle handle;
    private int sum;
    private final AtomicInteger releases = new AtomicInteger();

    Summing(int number) {
      super(100 * 24, 1_000);
      this.number = number;
    }

    @Override
    public void initialize() {
      handle = subscribe(new Event("task", number));
    }

    @Override
    public void execute() {
      int release = releases.incrementAndGet();
      Node list = null;
      int length = 0;
      while (length < 50) {
        Event event = handle.next();
        if (event == null) {
          break;
        }
        list = Node.of((int) event.getLong("value"), list);
        length++;
        int before = sum;
        sum += list.value;
        if (before % 97 == 13 && release % 2 == 0) {
          abort();
        }
      }
      for (Node each = list; each != null; each = each.next) {
        length--;
      }
      if (length != 0) {
        throw new IllegalStateException("nodes of another release: " + length);
      }
    }
  }

  @Test
  void shouldKeepTasksApartWhateverWorkersRunThem() {
    List<Summing> tasks = new ArrayList<>();
    List<TaskControl> controls = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(new Summing(i));
      if (i < TASKS / 2) {
        controls.add(runtime.passive("task" + i, tasks.get(i), i % 3));
      }
    }
    runtime.start();
    for (int i = TASKS / 2; i < TASKS; i++) {
      controls.add(runtime.passive("task" + i, tasks.get(i), i % 3));
    }
    int expected = 0;
    for (int value = 1; value <= EVENTS; value++) {
      expected += value;
      for (int i = 0; i < TASKS; i++) {
        space.write(new Event("task", i).add("value", value));
      }
    }
    await(() -> space.stats().events() == 0);
    runtime.close();
    for (int i = 0; i < TASKS; i++) {
      assertThat(controls.get(i).failure()).isNull();
      assertThat(tasks.get(i).sum).isEqualTo(expected);
      assertThat(controls.get(i).stats().memory().poolGrowths()).isZero();
      assertThat(controls.get(i).stats().memory().transientPeakBytes()).isBetween(24L, 50L * 24);
    }
  }
}
