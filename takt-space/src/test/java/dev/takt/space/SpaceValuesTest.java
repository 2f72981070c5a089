package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values and templates on their way through a space. */
class SpaceValuesTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));

  @ParameterizedTest
  @MethodSource("dev.takt.space.EventTest#values")
  void shouldFindAndReturnValue(Object value) {
    for (Object other : EventTest.values()) {
      space.write(new Event("pad", "x").add("key", other).add("more", new int[] {1}));
    }

    Event taken = space.take(new Event("key", value));
    assertThat(Objects.deepEquals(taken.get("key"), value)).isTrue();
    assertThat((int[]) taken.get("more")).containsExactly(1);
    assertThat(taken.getString("pad")).isEqualTo("x");
    assertThat(space.take(new Event("key", value))).isNull();
    assertThat(space.count(new Event())).isEqualTo(EventTest.values().size() - 1);
  }

  @Test
  void shouldFindByConditions() {
    for (int i = 0; i < 10; i++) {
      space.write(new Event("type", "sell").add("price", i).add("stock", "S" + i));
    }
    Template template =
        new Template("type", "sell")
            .between("price", 2.5, 6)
            .not("price", 3)
            .matchingString("stock", s -> !s.equals("S4"));

    assertThat(space.count(template)).isEqualTo(2);
    assertThat(space.take(template).getLong("price")).isEqualTo(5);
    assertThat(space.take(template).getLong("price")).isEqualTo(6);
    assertThat(space.take(template)).isNull();
    assertThat(space.test(new Template().atLeast("price", 9))).isTrue();
    assertThat(space.test(new Template().atLeast("price", 10))).isFalse();
  }

  @Test
  void shouldKeepSubscriptionAsItWasWhenTemplateChanges() {
    Template template = new Template("type", "sell").atLeast("price", 5);
    Handle handle = space.subscribe(template);
    template.clear().add("type", "buy");
    space.write(new Event("type", "sell").add("price", 4));
    space.write(new Event("type", "buy").add("price", 6));

    assertThat(handle.hasNextNow()).isFalse();
    space.write(new Event("type", "sell").add("price", 5));
    assertThat(handle.hasNextNow()).isTrue();
    assertThat(handle.next().getLong("price")).isEqualTo(5);
  }

  @Test
  void shouldStayUsableWhenPredicateThrows() {
    space.write(new Event("type", "sell").add("price", 5));
    Template broken =
        new Template("type", "sell")
            .matchingLong(
                "price",
                n -> {
                  throw new UnsupportedOperationException("broken");
                });

    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> space.take(broken)).hasMessage("broken");
      assertThatThrownBy(() -> space.test(broken)).hasMessage("broken");
      assertThatThrownBy(() -> space.count(broken)).hasMessage("broken");
    }
    assertThat(space.take(new Event("type", "sell")).getLong("price")).isEqualTo(5);
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldRefuseTemplatesAndExpiredEvents() {
    EventPool pool = new EventPool(1);
    Event expired = pool.next().add("key", 1);
    pool.reclaim();

    assertThatThrownBy(() -> space.write(new Template("key", 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> space.write(new Event("key", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> space.write(expired)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.take(expired)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.test(expired)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.count(expired)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> space.subscribe(expired)).isInstanceOf(IllegalStateException.class);
    space.write(new Event("key", 1));
    assertThatThrownBy(() -> space.take(new Event("key", 1), expired))
        .isInstanceOf(IllegalStateException.class);
    assertThat(space.count(new Event("key", 1))).isEqualTo(1);
  }
}
