package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.EventSpace;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Atomic calls that use stable collections and make stable objects, against java.util. */
@ExtendWith(LeakCheck.class)
class WovenShelfTest {
  private static final int HISTORY = 200;

  private final Map<Long, Long> amounts = new LinkedHashMap<>();
  private final List<Long> history = new ArrayList<>();

  @Test
  void shouldKeepCollectionsWholeBesideReleases() throws Exception {
    long seed = Seeds.seed();
    try (WovenTasks programs = WovenTasks.open("dev.takt.stress.programs")) {
      ReflexTask task = programs.task("ShelfTask");
      try (ReflexRuntime runtime =
          ReflexRuntime.create(EventSpace.create(), RuntimeSettings.DEFAULTS)) {
        TaskControl control = runtime.active("shelf", task, Schedule.periodic(100_000));
        runtime.start();
        call((Shelf) task, new SplittableRandom(seed));
        assertThat(control.failure()).isNull();
        assertThat(control.stats().aborts()).isPositive();
        assertThat(((Shelf) task).sweeps()).isPositive();
        assertThat(control.stats().memory().stableUsedBytes()).isPositive();
        System.out.printf(
            "%s%n%s%nfrom %s%n", control.atomicStats(), control.stats(), Seeds.replay(seed));
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(Seeds.replay(seed), e);
    }
  }

  private void call(Shelf shelf, SplittableRandom random) {
    int calls = Seeds.size(20_000, 1_000_000);
    long[] into = new long[HISTORY];
    for (int i = 0; i < calls; i++) {
      long thing = random.nextInt(20);
      switch (random.nextInt(i < 2_000 ? 4 : 8)) {
        case 0 -> {
          long amount = random.nextInt(100);
          if (history.size() < HISTORY) {
            history.addFirst(amount);
          }
          long now = amounts.merge(thing, amount, Long::sum);
          assertThat(shelf.put(thing, amount)).isEqualTo(now);
        }
        case 1 -> {
          // Removals come to an end, since what is made later counts for ever.
          if (i < 2_000) {
            Long removed = amounts.remove(thing);
            assertThat(shelf.remove(thing)).isEqualTo(removed == null ? 0 : removed);
          }
        }
        case 2 -> {
          Arrays.fill(into, -7);
          assertThat(shelf.history(into)).isEqualTo(amounts.size());
          assertThat(Arrays.copyOf(into, history.size()))
              .containsExactly(history.stream().mapToLong(Long::longValue).toArray());
        }
        default -> assertThat(shelf.digest()).isEqualTo(digest());
      }
    }
  }

  private long digest() {
    long digest = 0;
    for (long amount : amounts.values()) {
      digest = digest * 31 + amount;
    }
    return digest;
  }
}
