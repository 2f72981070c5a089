package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.BoxCache;
import dev.takt.space.Event;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What woven code calls for a value is what the code that it stands for does with the box. */
class EventValuesTest {
  private static final Event EVENT =
      new Event("double", 2.5)
          .add("long", 7L)
          .add("boolean", true)
          .add("string", "takt")
          .add("wildcard", null);

  private static final List<String> KEYS =
      List.of("double", "long", "boolean", "string", "wildcard", "missing");

  /** What converts, with the keys for which it does. */
  private static final Map<BiFunction<Event, String, Object>, List<String>> CONVERSIONS =
      Map.of(
          EventValues::unboxDouble, List.of("double"),
          EventValues::unboxLong, List.of("long"),
          EventValues::unboxBoolean, List.of("boolean"),
          EventValues::asDouble, List.of("double", "long"));

  @Test
  void shouldReturnValueOfTheRightType() {
    assertThat(EventValues.unboxDouble(EVENT, "double")).isEqualTo(2.5);
    assertThat(EventValues.unboxLong(EVENT, "long")).isEqualTo(7);
    assertThat(EventValues.unboxBoolean(EVENT, "boolean")).isTrue();
    assertThat(EventValues.asDouble(EVENT, "double")).isEqualTo(2.5);
    assertThat(EventValues.asDouble(EVENT, "long")).isEqualTo(7.0);
  }

  @Test
  void shouldFailAsCastAndUnboxingDo() {
    CONVERSIONS.forEach(
        (conversion, converted) -> {
          for (String key : KEYS) {
            if (!converted.contains(key)) {
              boolean isNull = EVENT.get(key) == null;
              assertThatThrownBy(() -> conversion.apply(EVENT, key))
                  .as(key)
                  .isExactlyInstanceOf(
                      isNull ? NullPointerException.class : ClassCastException.class);
            }
          }
        });
  }

  @Test
  void shouldTellFloatingPointNumbersFromOthers() {
    assertThat(KEYS).filteredOn(key -> BoxCache.isDouble(EVENT, key)).containsExactly("double");
  }
}
