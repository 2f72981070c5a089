package dev.takt.reflex.stable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StableQueuesTest {
  private static final int STEPS = 3_000;

  private final Random random = new Random(Seeds.seed());

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 100})
  void shouldQueueObjectsInTheirOrder(int capacity) {
    StableQueue<Item> queue = new StableQueue<>(capacity);
    Deque<Item> model = new ArrayDeque<>();
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(9)) {
        case 0, 1, 2, 3 -> {
          Item item = new Item(step);
          assertThat(queue.offer(item)).isEqualTo(model.size() < capacity);
          if (model.size() < capacity) {
            model.add(item);
          }
        }
        case 4, 5, 6, 7 -> {
          assertThat(queue.peek()).isSameAs(model.peek());
          assertThat(queue.poll()).isSameAs(model.poll());
        }
        default -> {
          if (random.nextInt(30) == 0) {
            queue.clear();
            model.clear();
          }
        }
      }
      assertThat(queue).containsExactlyElementsOf(model);
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(queue.isFull()).isEqualTo(model.size() == capacity);
    }
    assertThat(queue.capacity()).isEqualTo(capacity);
    assertThatThrownBy(() -> queue.get(queue.size())).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldRefuseNull() {
    assertThatThrownBy(() -> new StableQueue<Item>(1).offer(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("element");
  }
}
