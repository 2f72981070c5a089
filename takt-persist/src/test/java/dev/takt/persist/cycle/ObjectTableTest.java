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
  void shouldDoWhatAMapByIdentityDoes() {
    Random random = new Random(Seeds.seed());
    Map<Object, Integer> model = new IdentityHashMap<>();
    Map<Object, Boolean> written = new IdentityHashMap<>();
    List<Object> keys = new ArrayList<>();
    for (int i = Seeds.size(60_000, 2_000_000); i > 0; i--) {
      Object key =
          keys.isEmpty() || random.nextInt(3) > 0
              ? new String("a")
              : keys.get(random.nextInt(keys.size()));
      Integer before = model.putIfAbsent(key, keys.size());
      int number = table.putIfAbsent(key, keys.size());
      assertThat(number).isEqualTo(before == null ? keys.size() : before);
      if (before == null) {
        keys.add(key);
      }
      if (random.nextInt(4) == 0) {
        table.written(key);
        written.put(key, true);
      }
    }
    assertThat(table.size()).isEqualTo(model.size());
    for (Object key : keys) {
      assertThat(table.get(key)).isEqualTo(model.get(key));
      assertThat(table.isWritten(key)).isEqualTo(written.containsKey(key));
      assertThat(table.contains(key)).isTrue();
      assertThat(table.contains(new String("a"))).isFalse();
    }
    assertThat(table.get("b")).isEqualTo(-1);
    assertThat(table.isWritten("b")).isFalse();
  }
}
