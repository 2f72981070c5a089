package dev.takt.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BareSlabTest {
  @Test
  void shouldTakeWhatWasWritten() {
    BareSlab slab = new BareSlab(4);
    slab.write(new long[] {7, 1, 2, 3, 4, 5, 6, 8});
    long[] out = new long[BareSlab.WORDS];

    assertThat(slab.take(7, 2, out)).isFalse();
    assertThat(slab.take(7, 1, out)).isTrue();
    assertThat(out).containsExactly(7, 1, 2, 3, 4, 5, 6, 8);
    assertThat(slab.take(7, 1, out)).isFalse();
  }

  @Test
  void shouldAgreeWithAListWhenBucketsAreShared() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    BareSlab slab = new BareSlab(8);
    List<Long> model = new ArrayList<>();
    long[] out = new long[BareSlab.WORDS];
    for (int i = 0; i < 10_000; i++) {
      long id = random.nextInt(12);
      if (model.size() < 8 && random.nextBoolean()) {
        slab.write(new long[] {7, id, 0, 0, 0, 0, 0, 0});
        model.add(id);
      } else {
        assertThat(slab.take(7, id, out))
            .as("seed %d, step %d", seed, i)
            .isEqualTo(model.remove(id));
      }
    }
  }
}
