package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each limit can be set alone, and is checked. */
class SpaceSettingsTest {
  static Stream<RecordComponent> limits() {
    return Stream.of(SpaceSettings.class.getRecordComponents());
  }

  private static SpaceSettings with(RecordComponent limit, int value) throws Throwable {
    String name = limit.getName();
    Method method =
        SpaceSettings.class.getMethod(
            "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), int.class);
    try {
      return (SpaceSettings) method.invoke(SpaceSettings.DEFAULTS, value);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void shouldChangeOneLimitAlone(RecordComponent limit) throws Throwable {
    int value = (int) limit.getAccessor().invoke(SpaceSettings.DEFAULTS) - 1;
    SpaceSettings changed = with(limit, value);
    for (RecordComponent each : SpaceSettings.class.getRecordComponents()) {
      assertThat(each.getAccessor().invoke(changed))
          .as(each.getName())
          .isEqualTo(
              each.getName().equals(limit.getName())
                  ? value
                  : each.getAccessor().invoke(SpaceSettings.DEFAULTS));
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void shouldRefuseLimitOutOfRangeByItsName(RecordComponent limit) {
    for (int value : new int[] {-1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> with(limit, value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(limit.getName() + "=" + value + " (expected: ");
    }
  }

  @Test
  void shouldHaveOneMethodForEachLimit() {
    assertThat(Stream.of(SpaceSettings.class.getMethods()).map(Method::getName))
        .filteredOn(name -> name.startsWith("with"))
        .hasSize(SpaceSettings.class.getRecordComponents().length);
  }

  /** The figure of docs/limits.md: 128 + 4 * 8 + 56 bytes, rounded up to 64, and what is in it. */
  @Test
  void shouldTellHowMuchOfTheHeapIsTheLeast() {
    long bytes = SpaceSettings.DEFAULTS.withCapacity(1_000_000).leastHeapBytes();
    assertThat(bytes / 1_000_000).isBetween(128L + 4 * 8, 128L + 4 * 8 + 56 + 64);
  }

  /** The figures of docs/limits.md, for each event: of the lists, and of what was there before. */
  @Test
  void shouldTellHowMuchOfTheHeapAnIndexTakesAtMost() {
    SpaceSettings settings = SpaceSettings.DEFAULTS.withMaxSubscriptions(1);
    for (int capacity : new int[] {1_000_000, 1 << 20, (1 << 20) + 1}) {
      long bytes = settings.withCapacity(capacity).indexHeapBytes();
      assertThat(bytes / (double) capacity).isBetween(48.0 + 24, 64.2 + 32);
    }
    int subscriptions = 1 << 20;
    assertThat(settings.withMaxSubscriptions(subscriptions).indexHeapBytes())
        .isEqualTo(settings.indexHeapBytes() + 8L * (subscriptions - 1));
  }
}
