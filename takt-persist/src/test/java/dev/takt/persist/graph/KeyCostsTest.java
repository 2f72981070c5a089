package dev.takt.persist.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Keys that were chosen to have one hash cannot make a recovery endless. */
class KeyCostsTest {
  private static final int MANY = 1 << 14;

  private final KeyCosts costs = new KeyCosts();

  /** Strings of one hash: "Aa" has that of "BB". */
  private static Object[] strings() {
    Object[] all = new Object[MANY];
    for (int i = 0; i < MANY; i++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      all[i] = text.toString();
    }
    return all;
  }

  /** Values of one hash that have no order: a month is worth 256 years in it. */
  private static Object[] periods(int count) {
    Object[] all = new Object[count];
    for (int i = 0; i < count; i++) {
      all[i] = Period.of(256 * (count - i), i, 0);
      assertThat(all[i]).hasSameHashCodeAs(all[0]);
    }
    return all;
  }

  private record Point(int x, int y) {}

  @Test
  void shouldRefuseWhatWouldTakeTooManyComparisons() {
    assertThatThrownBy(() -> costs.add(HashSet.class, periods(MANY)))
        .hasMessageContainingAll("java.util.HashSet", "one hash", "keys=16384", "limit=");
    assertThatThrownBy(() -> costs.add(Set.class, strings()))
        .as("which makes no tree")
        .hasMessageContaining("java.util.Set");
  }

  @Test
  void shouldCountAllCollectionsTogether() {
    for (int i = 0; i < 2; i++) {
      costs.add(HashMap.class, pairs(periods(MANY / 2)));
    }
    assertThatThrownBy(() -> costs.add(Map.class, pairs(periods(MANY / 2))))
        .hasMessageContaining("one hash");
  }

  private static Object[] pairs(Object[] keys) {
    Object[] all = new Object[2 * keys.length];
    for (int i = 0; i < keys.length; i++) {
      all[2 * i] = keys[i];
      all[2 * i + 1] = "value";
    }
    return all;
  }

  @Test
  void shouldTakeWhatFindsItsWay() {
    Object[] points = new Object[MANY];
    Arrays.setAll(points, i -> new Point(i % 128, i / 128));
    assertThatCode(
            () -> {
              costs.add(HashSet.class, strings());
              costs.add(HashSet.class, points);
              costs.add(Set.class, points);
              costs.add(TreeMap.class, pairs(strings()));
              costs.add(ArrayList.class, periods(MANY));
              costs.add(List.class, periods(MANY));
            })
        .doesNotThrowAnyException();
  }
}
