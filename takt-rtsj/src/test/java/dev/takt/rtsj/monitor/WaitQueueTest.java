package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaitQueueTest {
  private final WaitQueue queue = new WaitQueue();
  private final MonitorThread thread = MonitorThread.current();

  private WaitNode node(int priority) {
    WaitNode node = new WaitNode(thread);
    node.begin(priority, NanoClock.system());
    return node;
  }

  /** Beside a list that is searched for its first one of highest priority. */
  @Test
  void shouldKeepHighestFirstAndEqualOnesInOrder() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    List<WaitNode> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (model.size() < 12) {
            WaitNode node = node(random.nextInt(4));
            model.add(node);
            queue.add(node);
          }
        }
        case 2 -> {
          if (!model.isEmpty()) {
            queue.remove(model.remove(random.nextInt(model.size())));
          }
        }
        default -> {
          WaitNode best = null;
          for (WaitNode each : model) {
            if (best == null || each.priority > best.priority) {
              best = each;
            }
          }
          model.remove(best);
          assertThat(queue.poll()).as("seed %d, step %d", seed, step).isSameAs(best);
        }
      }
      assertThat(queue.isEmpty()).as("seed %d, step %d", seed, step).isEqualTo(model.isEmpty());
    }
  }

  @Test
  void shouldNotServeThreadThatHasLeft() {
    WaitNode node = node(0);
    assertThat(node.serve()).isTrue();
    assertThat(node.isServed()).isTrue();
    WaitNode left = node(0);
    left.abandon();
    assertThat(left.serve()).isFalse();
  }
}
