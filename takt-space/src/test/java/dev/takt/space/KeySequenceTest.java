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
