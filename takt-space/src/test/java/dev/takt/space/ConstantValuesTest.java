package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that nobody can change, and arrays of strings. */
class ConstantValuesTest {
  static Stream<Object> constants() {
    return Stream.of(
        'B',
        '\u20AC',
        Thread.State.NEW,
        TimeUnit.DAYS,
        new BigDecimal("12.50"),
        new BigInteger("123456789012345678901234567890"),
        new UUID(1, 2),
        Instant.ofEpochSecond(1_700_000_000, 5),
        Duration.ofMillis(7),
        LocalDate.of(2026, 11, 22),
        LocalTime.of(18, 52),
        LocalDateTime.of(2026, 11, 22, 18, 52));
  }

  @ParameterizedTest
  @MethodSource("constants")
  void shouldHoldConstants(Object constant) {
    Event event = new Event("type", "a").add("value", constant).add("after", "text");
    assertThat(event.get("value")).isSameAs(constant);
    assertThat(event.getString("after")).isEqualTo("text");
    assertThat(event.toString()).contains("value: " + constant);
    assertThat(event).isEqualTo(new Event("after", "text").add("value", constant).add("type", "a"));
    assertThat(new Event("value", constant).matches(event)).isTrue();
    assertThat(new Event("value", "B").matches(event)).isFalse();

    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    space.write(event);
    Event into = new Event();
    assertThat(space.poll(new Event("value", Thread.State.RUNNABLE), into)).isFalse();
    assertThat(space.poll(new Event("value", constant), into)).isTrue();
    assertThat(into).isEqualTo(event);
    event.add("value", 5).add("type", constant);
    assertThat(event.getLong("value")).isEqualTo(5);
    assertThat(event.getString("after")).isEqualTo("text");
  }

  @Test
  void shouldHoldArraysOfStringsByValue() {
    String[] names = {"a", null, "c"};
    Event event = new Event("names", names).add("after", "text").add("none", new String[0]);
    names[0] = "changed";
    assertThat((String[]) event.get("names")).containsExactly("a", null, "c");
    assertThat((String[]) event.get("none")).isEmpty();
    assertThat(event)
        .hasToString("[names: String[3]{\"a\", null, \"c\"}, after: \"text\", none: String[0]{}]");
    assertThat(new Event("names", new String[] {"a", null, "c"}).matches(event)).isTrue();
    assertThat(new Event("names", new String[] {"a", "c", null}).matches(event)).isFalse();
    assertThat(new Event("names", new String[] {"a", null}).matches(event)).isFalse();

    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    space.write(event);
    assertThat(space.take(new Event("names", new String[] {"a", null, "c"}))).isEqualTo(event);
  }

  record Filled(Instant at, UUID id, BigDecimal price, Thread.State state) {}

  @Test
  void shouldHoldConstantsInRecordsButNoClassThatExtendsTheirs() {
    Filled trade = new Filled(Instant.EPOCH, null, BigDecimal.TEN, Thread.State.NEW);
    assertThat(new Event("trade", trade).get("trade")).isEqualTo(trade).isNotSameAs(trade);
    BigDecimal changing =
        new BigDecimal("1") {
          @Override
          public int intValue() {
            return 2;
          }
        };
    assertThatThrownBy(() -> new Event("price", changing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot hold a");
    assertThatThrownBy(() -> new Event("trade", new Filled(null, null, changing, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("extends a class whose values nobody can change");
  }
}
