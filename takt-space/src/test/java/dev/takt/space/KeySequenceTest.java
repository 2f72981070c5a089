package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Events that are filled by the places of their keys. */
class KeySequenceTest {
  private final KeySequence keys = KeySequence.EMPTY.with("id").with("price").with("last");

  @Test
  void shouldMakeTheSameEventAsItsKeysDo() {
    Event event = new Event("older", 1).add("content", "x").add("of it", new int[9]).clear();
    keys.put(event, 0, 7);
    keys.put(event, 1, 12.5);
    keys.put(event, 2, true);

    Event expected = new Event("id", 7).add("price", 12.5).add("last", true);
    assertThat(event).isEqualTo(expected).hasToString(expected.toString());
    assertThat(event.keys()).isSameAs(expected.keys());
    assertThat(event.add("price", "none").add("more", 1).getString("price")).isEqualTo("none");
    assertThat(keys.size()).isEqualTo(3);
    assertThat(keys.key(1)).isEqualTo("price");
  }

  @Test
  void shouldMakeTheSameEventWhenTheFirstNumbersComeTogether() {
    long[] numbers = {7, Double.doubleToLongBits(12.5)};
    Event event = new Event("older", 1).add("content", "x").add("of it", new int[9]).clear();
    keys.putFirst(event, 0x21, numbers, 2);
    keys.put(event, 2, true);

    Event expected = new Event("id", 7).add("price", 12.5).add("last", true);
    assertThat(event).isEqualTo(expected).hasToString(expected.toString());
    assertThat(event.keys()).isSameAs(expected.keys());
    keys.putFirst(event.clear(), 0, numbers, 0);
    assertThat(event).isEqualTo(new Event());

    KeySequence all = KeySequence.EMPTY;
    long[] many = new long[Event.MAX_KEYS];
    for (int i = 0; i < many.length; i++) {
      all = all.with("k" + i);
      many[i] = -i;
    }
    Event large = new Event();
    all.putFirst(large, 0x1111_1111_1111_1111L, many, many.length);
    for (int i = 0; i < many.length; i++) {
      assertThat(large.getLong("k" + i)).isEqualTo(-i);
    }
  }

  @Test
  void shouldRefuseNumbersThatDoNotFitAndLeaveTheEvent() {
    Event other = new Event("price", 1);
    long[] numbers = new long[16];
    assertThatThrownBy(() -> keys.putFirst(other, 0x1, numbers, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the event has the keys [price]");
    assertThat(other).isEqualTo(new Event("price", 1));
    Event empty = new Event();
    for (int count : new int[] {-1, 4}) {
      assertThatThrownBy(() -> keys.putFirst(empty, 0x1111, numbers, count))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("count=" + count, "0 to 3");
    }
    for (long kinds : new long[] {0, 0x1, 0x10, 0x13, 0x31, 0x41, 0x111, 0x19, -1}) {
      assertThatThrownBy(() -> keys.putFirst(empty, kinds, numbers, 2))
          .as("kinds %x", kinds)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("kinds=%x".formatted(kinds), "1 or 2");
    }
    assertThat(empty).isEqualTo(new Event());
  }

  @Test
  void shouldGrowAnEventToAllItsKeys() {
    KeySequence all = KeySequence.EMPTY;
    Event event = new Event();
    for (int i = 0; i < Event.MAX_KEYS; i++) {
      all = all.with("k" + i);
      all.put(event, i, i);
    }
    for (int i = 0; i < Event.MAX_KEYS; i++) {
      assertThat(event.getLong("k" + i)).isEqualTo(i);
    }
    KeySequence full = all;
    assertThatThrownBy(() -> full.with("more"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("key=more", "at most 16");
  }

  @Test
  void shouldRefuseAnEventThatHasOtherKeysAndLeaveIt() {
    Event other = new Event("price", 1);
    for (int place : new int[] {0, 1, 2}) {
      assertThatThrownBy(() -> keys.put(other, place, 7))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the event has the keys [price]");
    }
    assertThat(other).isEqualTo(new Event("price", 1));
    assertThatThrownBy(() -> keys.with("price"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key=price (expected: another than [id, price, last]");
  }
}
