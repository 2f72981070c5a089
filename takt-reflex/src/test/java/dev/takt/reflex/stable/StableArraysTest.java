package dev.takt.reflex.stable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StableArraysTest {
  private static final int STEPS = 3_000;

  private final Random random = new Random(Seeds.seed());

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 200})
  void shouldBeLongsLikeThoseOfAnOrdinaryArray(int length) {
    StableLongArray array = new StableLongArray(length);
    long[] model = new long[length];
    for (int step = 0; step < STEPS; step++) {
      int i = random.nextInt(length);
      int j = random.nextInt(length);
      switch (random.nextInt(40)) {
        case 0 -> {
          long value = random.nextLong();
          array.fill(value);
          Arrays.fill(model, value);
        }
        case 1 -> {
          long delta = random.nextLong();
          model[i] += delta;
          assertThat(array.add(i, delta)).isEqualTo(model[i]);
        }
        default -> {
          model[i] = random.nextLong();
          array.set(i, model[i]);
        }
      }
      assertThat(array.get(j)).isEqualTo(model[j]);
    }
    assertThat(elements(array)).isEqualTo(model);
    assertThat(array.length()).isEqualTo(length);
  }

  private static long[] elements(StableLongArray array) {
    long[] elements = new long[array.length()];
    Arrays.setAll(elements, array::get);
    return elements;
  }

  @Test
  void shouldHoldReferencesLikeAnOrdinaryArray() {
    StableArray<Item> array = new StableArray<>(130);
    Item[] model = new Item[130];
    for (int step = 0; step < STEPS; step++) {
      int i = random.nextInt(model.length);
      model[i] = random.nextInt(4) == 0 ? null : new Item(step);
      array.set(i, model[i]);
      int j = random.nextInt(model.length);
      assertThat(array.get(j)).isSameAs(model[j]);
    }
    assertThat(array.length()).isEqualTo(model.length);
  }

  @Test
  void shouldRefuseWhatIsOutOfRangeAndChangeNothing() {
    StableLongArray array = new StableLongArray(70);
    for (int index : new int[] {-1, 70, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      String message = "index=" + index + " (expected: 0 to 69)";
      assertThatThrownBy(() -> array.get(index))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(message);
      assertThatThrownBy(() -> array.set(index, 1)).hasMessage(message);
      assertThatThrownBy(() -> array.add(index, 1)).hasMessage(message);
      assertThatThrownBy(() -> new StableArray<Item>(70).get(index)).hasMessage(message);
    }
    assertThat(elements(array)).containsOnly(0);
  }

  @Test
  void shouldRefuseLengthsThatMakeNoSense() {
    assertThatThrownBy(() -> new StableLongArray(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("length=0 (expected: 1 to 16777216)");
    assertThatThrownBy(() -> new StableArray<Item>(Limits.MAX_CAPACITY + 1))
        .hasMessage("length=16777217 (expected: 1 to 16777216)");
  }
}
