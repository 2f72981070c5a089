package dev.takt.persist.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectTableTest {
  private final ObjectTable table = new ObjectTable();

  @Test
  void shouldDoWhatAMapByIdentityDoesAndDoItAgainWhenItWasCleared() {
    Random random = new Random(Seeds.seed());
    for (int round = 0; round < 3; round++) {
      List<Object> keys = fill(random);
      int written = random.nextInt(keys.size());
      table.written(written);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(table.get(i)).isSameAs(keys.get(i));
        assertThat(table.number(keys.get(i))).isEqualTo(i);
        assertThat(table.isWritten(keys.get(i))).isEqualTo(i < written);
        assertThat(table.contains(keys.get(i))).isTrue();
        assertThat(table.contains(new String("a"))).isFalse();
      }
      assertThat(table.number("b")).isEqualTo(-1);
      assertThat(table.isWritten("b")).isFalse();
      clear();
      assertThat(table.size()).isZero();
      assertThat(table.contains(keys.getFirst())).isFalse();
      assertThat(table.isWritten(keys.getFirst())).isFalse();
    }
  }

  private List<Object> fill(Random random) {
    Map<Object, Integer> model = new IdentityHashMap<>();
    List<Object> keys = new ArrayList<>();
    for (int i = Seeds.size(60_000, 2_000_000); i > 0; i--) {
      Object key =
          keys.isEmpty() || random.nextInt(3) > 0
              ? new String("a")
              : keys.get(random.nextInt(keys.size()));
      Integer before = model.putIfAbsent(key, keys.size());
      assertThat(table.add(key)).isEqualTo(before == null ? keys.size() : before);
      if (before == null) {
        keys.add(key);
      }
    }
    assertThat(table.size()).isEqualTo(model.size());
    return keys;
  }

  private void clear() {
    boolean isEmpty = false;
    while (!isEmpty) {
      isEmpty = table.clear();
    }
  }
}
