package dev.takt.persist.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Leaf;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.Undoable;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CaptureTest {
  private static final StableLayout LAYOUT = StableLayout.of(Leaf.class.asSubclass(Undoable.class));

  private final Random random = new Random(Seeds.seed());
  private final Object memory = new Object();
  private final ObjectNumbers numbers = new ObjectNumbers(memory, new ObjectNumbers.Lease());
  private final ObjectTable table = new ObjectTable(numbers);
  private final List<Object> objects = new ArrayList<>();

  /** The number of the first copy of each object that was saved. */
  private final Map<Object, Integer> first = new IdentityHashMap<>();

  private int saves;

  @Test
  void shouldFindTheFirstCopyWhetherSavedBeforeOrAfterTheObjectIsFound() {
    fill();
    Capture capture = new Capture(table);
    for (int cycle = 0; cycle < Seeds.size(6, 100); cycle++) {
      if (cycle % 3 < 2) { // else without the lease: no object holds a number
        numbers.begin();
      }
      run(capture);
      clear(capture);
      numbers.end();
    }
  }

  @Test
  void shouldFindItWhenTwoTakeTurnsBesideOneTable() {
    fill();
    Capture capture = new Capture(table);
    Capture other = new Capture(table);
    numbers.begin();
    for (int cycle = 0; cycle < Seeds.size(6, 100); cycle++) {
      run(capture);
      while (!other.clear()) {
        assertThat(other.extras()).isNotNegative();
      }
      Capture next = other;
      other = capture;
      capture = next;
    }
    numbers.end();
  }

  private void fill() {
    for (int i = 0; i < 6_000; i++) {
      objects.add(random.nextInt(10) == 0 ? new long[3] : new Leaf());
    }
  }

  private void run(Capture capture) {
    first.clear();
    saves = 0;
    capture.prepare(1 << 24, false, null);
    capture.begins(1);
    for (int i = 0; i < 20_000; i++) {
      Object object = objects.get(random.nextInt(objects.size()));
      switch (random.nextInt(4)) {
        case 0 -> save(capture, object);
        case 1 -> table.add(object);
        case 2 -> capture.takeIn(random.nextInt(3));
        default -> {
          capture.takeInAll();
          assertThat(capture.find(object)).isEqualTo(first.getOrDefault(object, -1));
        }
      }
    }
    capture.takeInAll();
    for (Object object : objects) {
      assertThat(capture.find(object)).isEqualTo(first.getOrDefault(object, -1));
      assertThat(table.contains(object)).isEqualTo(table.number(object) >= 0);
    }
  }

  private void save(Capture capture, Object object) {
    if (object instanceof Undoable leaf) {
      capture.saved(
          leaf,
          new long[LAYOUT.primitives()],
          LAYOUT.primitives(),
          new Object[LAYOUT.references()],
          LAYOUT.references());
    } else if (!first.containsKey(object)) { // of an array, the barrier keeps one copy in a cycle
      capture.savedArray(object, object, 3);
    } else {
      return;
    }
    assertThat(capture.failure()).isNull();
    first.putIfAbsent(object, saves);
    saves++;
  }

  private void clear(Capture capture) {
    int extras = 0;
    for (Object object : first.keySet()) {
      extras += table.contains(object) ? 0 : 1;
    }
    while (!capture.clear()) {
      assertThat(capture.extras()).isNotNegative();
    }
    assertThat(capture.extras()).isGreaterThanOrEqualTo(extras);
    while (!table.clear()) {
      assertThat(table.size()).isNotNegative();
    }
  }
}
