package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is in an event is given away key by key. */
class EventPartsTest {
  record Pair(int left, String right) {}

  private static final class Listed implements EventParts.Sink {
    private final List<Object> values = new ArrayList<>();

    @Override
    public void integer(long value) {
      values.add(value);
    }

    @Override
    public void floating(double value) {
      values.add(value);
    }

    @Override
    public void bool(boolean value) {
      values.add(value);
    }

    @Override
    public void text(String value) {
      values.add(value);
    }

    @Override
    public void other(Object value) {
      values.add(value);
    }
  }

  @Test
  void shouldGiveAllValuesInTheOrderOfTheKeys() {
    Listed sink = new Listed();
    UUID id = new UUID(1, 2);
    Event event =
        new Event("b", 1)
            .add("a", 2.5)
            .add("c", true)
            .add("d", "x")
            .add("e", new int[] {3})
            .add("f", new Pair(4, "y"))
            .add("g", id);
    EventParts.give(event, sink);
    assertThat(sink.values)
        .containsExactly(1L, 2.5, true, "x", new int[] {3}, new Pair(4, "y"), id);
  }

  @Test
  void shouldGiveEventsWithTheSameKeysTheSameShape() {
    int shape = EventParts.shape(new Event("a", 1).add("b", 2));
    assertThat(EventParts.shape(new Event("a", "x").add("b", 3.5))).isEqualTo(shape);
    assertThat(EventParts.shape(new Event("b", 1).add("a", 2))).isNotEqualTo(shape);
    assertThat(EventParts.shape(new Event())).isZero();
  }

  @Test
  void shouldRefuseTemplates() {
    assertThatThrownBy(() -> EventParts.give(new Event("a", null), new Listed()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldAllocateNothingForNumbersAndStrings() {
    Event event = new Event("a", 1).add("b", 2.5).add("c", true).add("d", "x");
    long[] sum = {0};
    EventParts.Sink sink =
        new EventParts.Sink() {
          @Override
          public void integer(long value) {
            sum[0] += value;
          }

          @Override
          public void floating(double value) {
            sum[0]++;
          }

          @Override
          public void bool(boolean value) {
            sum[0]++;
          }

          @Override
          public void text(String value) {
            sum[0] += value.length();
          }

          @Override
          public void other(Object value) {
            throw new AssertionError(value);
          }
        };
    assertThat(AllocatedBytes.inSteadyState(1_000, () -> EventParts.give(event, sink))).isZero();
    assertThat(sum[0]).isEqualTo(4 * 40_000);
  }

  @Test
  void shouldBoundTheBytesOfAnEncoding() {
    Event event = new Event("ab", 1).add("c", "xyz").add("d", new long[2]);
    // three keys with their words, an array of two words and its length, the characters
    assertThat(EventParts.maxBytes(event))
        .isEqualTo(12 * (3 + 3) + (8 + 2 * 2) + 2 * (8 + 2) + (8 + 2 * 3));
    assertThat(EventParts.maxBytes(new Event("n", BigInteger.ONE.shiftLeft(8_000))))
        .isBetween(1_001L, 1_200L);
    assertThat(EventParts.maxBytes(new Event("n", new BigDecimal("1e-300").add(BigDecimal.ONE))))
        .isBetween(300L, 450L);
  }
}
