package dev.takt.persist.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntTableTest {
  @Test
  void shouldGiveBackWhatWasPutLastWhereverThatIs() {
    Random random = new Random(Seeds.seed());
    IntTable table = new IntTable();
    Map<Integer, Integer> model = new HashMap<>();
    for (int i = Seeds.size(10_000, 1_000_000); i > 0; i--) {
      int number = random.nextInt(1 << random.nextInt(22));
      if (random.nextBoolean()) {
        int value = random.nextInt();
        table.put(number, value);
        model.put(number, value);
      }
      assertThat(table.get(number))
          .as(Seeds.replay(Seeds.seed()))
          .isEqualTo(model.getOrDefault(number, 0));
    }
  }
}
