package dev.takt.reflex.stable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StableListTest {
  private final Random random = new Random(Seeds.seed());

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 150})
  void shouldBehaveLikeAnArrayList(int capacity) {
    StableList<Item> list = new StableList<>(capacity);
    List<Item> model = new ArrayList<>();
    for (int step = 0; step < 4_000; step++) {
      change(list, model, capacity, step);
      assertThat(list).containsExactlyElementsOf(model);
      assertThat(list.size()).isEqualTo(model.size());
      assertThat(list.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(list.isFull()).isEqualTo(model.size() == capacity);
    }
  }

  private void change(StableList<Item> list, List<Item> model, int capacity, int step) {
    Item item = new Item(step);
    int size = model.size();
    int index = size == 0 ? 0 : random.nextInt(size);
    boolean grows = size == 0 || size < capacity && random.nextInt(5) < 3;
    switch (random.nextInt(grows ? 3 : 7)) {
      case 0 -> {
        if (size < capacity) {
          list.insert(index, item);
          model.add(index, item);
        }
      }
      case 1, 2 -> {
        if (size < capacity) {
          list.add(item);
          model.add(item);
        }
      }
      case 3 -> assertThat(list.remove(index)).isSameAs(model.remove(index));
      case 4 -> assertThat(list.removeLast()).isSameAs(model.removeLast());
      case 5 -> {
        assertThat(list.removeUnordered(index)).isSameAs(model.get(index));
        model.set(index, model.getLast());
        model.removeLast();
      }
      default -> {
        if (random.nextInt(20) == 0) {
          list.clear();
          model.clear();
        } else {
          assertThat(list.set(index, item)).isSameAs(model.set(index, item));
          assertThat(list.indexOf(item)).isEqualTo(index);
        }
      }
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFitAndStayAsItIs() {
    StableList<Item> list = new StableList<>(2);
    Item first = new Item(1);
    list.add(first);
    list.add(first);

    assertThatThrownBy(() -> list.add(new Item(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "StableList is full: size=2, capacity=2; remove something first, ask isFull(), or give a larger"
                + " capacity at construction");
    assertThatThrownBy(() -> list.insert(0, new Item(2))).hasMessageContaining("is full");
    assertThat(list).containsExactly(first, first);
    assertThat(list.capacity()).isEqualTo(2);
  }

  @Test
  void shouldRefuseWhatIsNotThere() {
    StableList<Item> list = new StableList<>(3);

    assertThatThrownBy(() -> list.get(0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index=0, size=0; ask for the size first");
    assertThatThrownBy(list::removeLast)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("StableList is empty; ask isEmpty() first");
    assertThatThrownBy(() -> list.insert(1, new Item(1))).hasMessageContaining("index=1");
    list.add(new Item(1));
    assertThatThrownBy(() -> list.insert(2, new Item(1))).hasMessageContaining("index=2");
    assertThatThrownBy(() -> list.remove(-1)).hasMessageContaining("index=-1");
    assertThatThrownBy(() -> list.set(1, new Item(1))).hasMessageContaining("index=1");
    assertThatThrownBy(() -> list.set(0, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> list.add(null)).isInstanceOf(NullPointerException.class);
    assertThat(list.indexOf(new Item(1))).isEqualTo(-1);
    assertThat(list.size()).isEqualTo(1);
  }

  @Test
  void shouldEndItsIterationAtTheLast() {
    StableList<Item> list = new StableList<>(3);
    list.add(new Item(1));
    Iterator<Item> items = list.iterator();

    assertThat(items.next()).hasToString("item-1");
    assertThat(items.hasNext()).isFalse();
    assertThatThrownBy(items::next)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("no element after the last of 1");
  }
}
