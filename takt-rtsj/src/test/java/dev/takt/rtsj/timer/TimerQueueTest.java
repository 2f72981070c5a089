package dev.takt.rtsj.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The heap alone, with enough timers that a removal moves one up a branch that is not its own. */
class TimerQueueTest {
  private static final int TIMERS = 40;
  private static final int STEPS = 200_000;

  private final TimerClock clock = TimerClock.of(() -> 0);
  private final TimerEngine engine = new TimerEngine(() -> 0, TIMERS, 1_000_000, () -> {});
  private final TimerQueue queue = new TimerQueue(clock, TIMERS);
  private final Timer[] timers = new Timer[TIMERS];
  private final boolean[] present = new boolean[TIMERS];

  TimerQueueTest() {
    for (int i = 0; i < TIMERS; i++) {
      timers[i] = engine.make(new AsyncEvent("e" + i), clock, true, 0, 0);
    }
  }

  @Test
  void shouldHaveTheEarliestFirstWhateverIsPutAndRemoved() {
    long seed = Seeds.seed();
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < STEPS; step++) {
      int i = random.nextInt(TIMERS);
      present[i] = random.nextBoolean();
      if (present[i]) {
        queue.put(timers[i], random.nextInt(1_000) - 500);
      } else {
        queue.remove(timers[i]);
      }
      assertFirst(seed, step);
    }
    System.out.printf("timer queue: %,d steps from seed %d%n", STEPS, seed);
  }

  @Test
  void shouldMoveTheLastOneUpWhenItComesIntoALaterBranch() {
    long[] dueNs = {1, 10, 2, 11, 12, 3, 4};
    for (int i = 0; i < dueNs.length; i++) {
      queue.put(timers[i], dueNs[i]);
    }
    queue.remove(timers[3]); // the last one, due at 4, takes its place, below 10
    for (int i = 7; i < 10; i++) {
      queue.put(timers[i], 13 + i); // so that it is not the last one any more
    }
    for (int i : new int[] {0, 2, 5, 6, 1, 4, 7, 8, 9}) {
      assertThat(queue.first()).isSameAs(timers[i]);
      queue.remove(timers[i]);
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  private void assertFirst(long seed, int step) {
    long earliestNs = Long.MAX_VALUE;
    for (int i = 0; i < TIMERS; i++) {
      if (present[i]) {
        earliestNs = Math.min(earliestNs, timers[i].dueNs());
      }
    }
    assertThat(queue.isEmpty()).isEqualTo(earliestNs == Long.MAX_VALUE);
    if (!queue.isEmpty()) {
      assertThat(queue.first().dueNs()).as("seed %d, step %d", seed, step).isEqualTo(earliestNs);
    }
  }
}
