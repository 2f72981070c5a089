package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Branch;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How often an increment looks at the clock, which is what small pieces of work cost most. */
class CycleClockTest {
  private static final int LEAVES = 6_000;
  private static final long LOOK_NS = 1_000;

  private long nowNs;
  private long looks;
  private long increments;
  private long latestNs;

  private long look() {
    looks++;
    nowNs += LOOK_NS; // what was done since the look before took that long
    return nowNs;
  }

  /** Stores leaves, a third of which have a string; returns how many objects that are. */
  private long store(long incrementNs) throws IOException {
    Persistence persistence =
        Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS.withClock(this::look));
    Branch branch = new Branch();
    branch.fill(new Random(Seeds.seed()), LEAVES);
    StableRoot root = new StableRoot("branch", branch, new TaskMemory("branch", 0, 0).sinks);
    try (Cycle cycle = persistence.begin(List.of(root))) {
      CycleState state = CycleState.RUNNING;
      while (state == CycleState.RUNNING || state == CycleState.WAITING) {
        long endNs = nowNs + incrementNs;
        state = cycle.step(endNs);
        increments++;
        latestNs = Math.max(latestNs, nowNs - endNs);
        boolean written = true;
        while (written) {
          written = cycle.write();
        }
      }
      assertThat(state).isEqualTo(CycleState.DONE);
      return cycle.stats().objects();
    }
  }

  @Test
  void shouldLookSeldomWhereMuchTimeIsLeft() throws IOException {
    long objects = store(3_600_000_000_000L);

    assertThat(looks).isLessThan(objects / 8);
  }

  @Test
  void shouldEndEachIncrementAtTheFirstLookAfterItsTime() throws IOException {
    store(20 * LOOK_NS);

    assertThat(increments).isGreaterThan(10);
    assertThat(latestNs).isBetween(0L, 2 * LOOK_NS); // a step looks once more at its end
  }
}
