package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static Event price(Object value) {
    return new Event("price", value);
  }

  private static boolean accepts(Template template, Object value) {
    return template.matches(price(value));
  }

  @Test
  void shouldIncludeBoundsOfRanges() {
    Template range = new Template().between("price", 10, 20);

    assertThat(accepts(range, 9)).isFalse();
    assertThat(accepts(range, 10)).isTrue();
    assertThat(accepts(range, 20)).isTrue();
    assertThat(accepts(range, 21)).isFalse();
    assertThat(accepts(new Template().atLeast("price", 10), 10)).isTrue();
    assertThat(accepts(new Template().atLeast("price", 10), 9)).isFalse();
    assertThat(accepts(new Template().atLeast("price", 10), Long.MAX_VALUE)).isTrue();
    assertThat(accepts(new Template().atMost("price", 10), 10)).isTrue();
    assertThat(accepts(new Template().atMost("price", 10), 11)).isFalse();
    assertThat(accepts(new Template().atMost("price", 10), Long.MIN_VALUE)).isTrue();
  }

  @Test
  void shouldAskForTheKeyOfACondition() {
    Template template = new Template("type", "sell").atLeast("price", 10);

    assertThat(template.matches(new Event("type", "sell"))).isFalse();
    assertThat(template.matches(new Event("type", "sell").add("price", 10))).isTrue();
    assertThat(template.matches(new Event("type", "buy").add("price", 10))).isFalse();
    assertThat(template.wildcards).isEqualTo(0b10);
  }

  @Test
  void shouldNotMatchValuesThatAreNoNumbers() {
    Template template = new Template().atLeast("price", Double.NEGATIVE_INFINITY);

    for (Object value :
        new Object[] {"5", true, new int[] {5}, Double.NaN, new EventTest.Trade("A", 5)}) {
      assertThat(accepts(template, value)).isFalse();
    }
    assertThat(accepts(template, 5)).isTrue();
    assertThat(accepts(template, Double.NEGATIVE_INFINITY)).isTrue();
  }

  @Test
  void shouldCompareIntegersAndFloatingPointNumbersAsNumbers() {
    assertThat(accepts(new Template().between("price", 1.5, 2.5), 2)).isTrue();
    assertThat(accepts(new Template().between("price", 1.5, 2.5), 1)).isFalse();
    assertThat(accepts(new Template().between("price", 1.5, 2.5), 3)).isFalse();
    assertThat(accepts(new Template().between("price", 1, 2), 1.5)).isTrue();
    assertThat(accepts(new Template().between("price", 1, 2), 2.5)).isFalse();
    assertThat(accepts(new Template().atLeast("price", 0.0), -0.0)).isTrue();
    assertThat(accepts(new Template().between("price", 1.2, 1.8), 1)).isFalse();
  }

  @Test
  void shouldAgreeWithExactArithmeticNearTheEndsOfIntegers() {
    long seed = Seeds.seed();
    System.out.println("TemplateTest ranges seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      long integer = nearPowerOfTwo(random);
      double floating =
          random.nextInt(4) == 0
              ? nearPowerOfTwo(random) + random.nextInt(3) / 2.0
              : near(integer, random);
      int order = new BigDecimal(integer).compareTo(new BigDecimal(floating));
      String what = "seed=" + seed + " integer=" + integer + " floating=" + floating;

      assertThat(accepts(new Template().atLeast("price", floating), integer))
          .as(what)
          .isEqualTo(order >= 0);
      assertThat(accepts(new Template().atMost("price", floating), integer))
          .as(what)
          .isEqualTo(order <= 0);
      assertThat(accepts(new Template().atLeast("price", integer), floating))
          .as(what)
          .isEqualTo(order <= 0);
      assertThat(accepts(new Template().atMost("price", integer), floating))
          .as(what)
          .isEqualTo(order >= 0);
      assertThat(accepts(new Template().between("price", integer, integer), floating))
          .as(what)
          .isEqualTo(order == 0);
      assertThat(accepts(new Template().between("price", floating, floating), integer))
          .as(what)
          .isEqualTo(order == 0);
    }
  }

  private static long nearPowerOfTwo(Random random) {
    long power = 1L << 50 + random.nextInt(14);
    return (random.nextBoolean() ? power : -power) + random.nextInt(5) - 2;
  }

  private static double near(long integer, Random random) {
    double near = integer;
    return switch (random.nextInt(3)) {
      case 0 -> Math.nextUp(near);
      case 1 -> Math.nextDown(near);
      default -> near;
    };
  }

  @Test
  void shouldRefuseRangesWithoutMeaning() {
    Template template = new Template("price", 5);

    assertThatThrownBy(() -> template.between("price", 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("min=2, max=1");
    assertThatThrownBy(() -> template.between("price", 2.5, 1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("min=2.5, max=1.5");
    assertThatThrownBy(() -> template.atLeast("price", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> template.atMost("price", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> template.atMost(null, 5))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThatThrownBy(() -> template.matchingLong("price", null))
        .isInstanceOf(NullPointerException.class);
    assertThat(template.getLong("price")).isEqualTo(5);
    assertThat(template.hasConditions()).isFalse();
  }

  @Test
  void shouldMatchByPredicates() {
    Template even = new Template().matchingLong("price", n -> n % 2 == 0);
    Template small = new Template().matchingDouble("price", d -> Math.abs(d) < 1.5);
    Template a = new Template().matchingString("price", s -> s.startsWith("a"));

    assertThat(accepts(even, 4)).isTrue();
    assertThat(accepts(even, 5)).isFalse();
    assertThat(accepts(even, 4.0)).isFalse();
    assertThat(accepts(small, 1)).isTrue();
    assertThat(accepts(small, -1.25)).isTrue();
    assertThat(accepts(small, 2)).isFalse();
    assertThat(accepts(small, "1")).isFalse();
    assertThat(accepts(a, "abc")).isTrue();
    assertThat(accepts(a, "cba")).isFalse();
    assertThat(accepts(a, 1)).isFalse();
  }

  @Test
  void shouldLetPredicateThrow() {
    Template template =
        new Template()
            .matchingLong(
                "price",
                n -> {
                  throw new UnsupportedOperationException("n=" + n);
                });

    assertThatThrownBy(() -> accepts(template, 4))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("n=4");
  }

  @Test
  void shouldExcludeValues() {
    assertThat(accepts(new Template().not("price", 5), 5L)).isFalse();
    assertThat(accepts(new Template().not("price", 5), 6)).isTrue();
    assertThat(accepts(new Template().not("price", 5), 5.0)).isTrue();
    assertThat(accepts(new Template().not("price", "x"), "x")).isFalse();
    assertThat(accepts(new Template().not("price", "x"), "y")).isTrue();
    assertThat(accepts(new Template().not("price", "x"), new int[1])).isTrue();
    assertThat(accepts(new Template().not("price", Double.NaN), Double.NaN)).isFalse();
    assertThat(accepts(new Template().not("price", true), false)).isTrue();
    assertThat(accepts(new Template().not("price", true), true)).isFalse();
    assertThat(new Template().not("absent", 1).matches(price(1))).isFalse();
    assertThatThrownBy(() -> new Template().not("price", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new Template().not("price", new int[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("int[] (key=price)");
    assertThatThrownBy(() -> new Template().not("price", 'c'))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldCombineConditionsOnOneKeyWithAnd() {
    Template template = new Template().atLeast("price", 10).atMost("price", 20).not("price", 15);

    assertThat(accepts(template, 9)).isFalse();
    assertThat(accepts(template, 10)).isTrue();
    assertThat(accepts(template, 15)).isFalse();
    assertThat(accepts(template, 16)).isTrue();
    assertThat(accepts(template, 21)).isFalse();
    assertThat(template.toString()).isEqualTo("[price: >= 10 and <= 20 and not 15]");
    Template same = new Template().atLeast("price", 10).atMost("price", 20).not("price", 15);
    assertThat(template).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(template).isNotEqualTo(same.not("price", 16));
  }

  @Test
  void shouldCheckAsManyConditionsOnOneKeyAsThereAre() {
    Template template = new Template();
    for (int i = 0; i < 40_000; i++) {
      template.not("price", i);
    }

    assertThat(accepts(template, 39_999)).isFalse();
    assertThat(accepts(template, 40_000)).isTrue();
    assertThat(template.toString()).endsWith(" and not 39998 and not 39999]");
  }

  @Test
  void shouldReplaceValueByConditionAndConditionByValue() {
    Template template = new Template("price", 5).atLeast("price", 10);
    assertThat(accepts(template, 5)).isFalse();
    assertThat(accepts(template, 12)).isTrue();

    template.add("price", 5);
    assertThat(template.hasConditions()).isFalse();
    assertThat(accepts(template, 5)).isTrue();
    assertThat(accepts(template, 12)).isFalse();

    template.atLeast("price", 10).add("price", null);
    assertThat(template.hasConditions()).isFalse();
    assertThat(accepts(template, 5)).isTrue();

    for (Object value :
        new Object[] {"text", 1.5, true, new int[] {1}, new EventTest.Trade("A", 1)}) {
      template.atLeast("price", 10).add("price", value);
      assertThat(template.hasConditions()).isFalse();
      assertThat(accepts(template, value)).isTrue();
    }
    template.atLeast("price", 10).add("price", 1.5);
    assertThat(accepts(template, 1.5)).isTrue();
    template.atLeast("price", 10).add("price", true);
    assertThat(accepts(template, true)).isTrue();
  }

  @Test
  void shouldKeepConditionWhenAddFails() {
    Template template = new Template().atLeast("price", 10);

    assertThatThrownBy(() -> template.add("price", new int[1][1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> template.add("price", new Object()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(accepts(template, 9)).isFalse();
    assertThat(accepts(template, 10)).isTrue();
  }

  @Test
  void shouldCopyConditionsAndForgetThemWhenCleared() {
    Template template =
        new Template("type", "sell").atLeast("price", 10).matchingLong("n", n -> n > 3);
    Template copy = template.copy();
    Event asEvent = template;

    assertThat(copy).isEqualTo(template).hasSameHashCodeAs(template);
    assertThat(asEvent.copy()).isEqualTo(template).isInstanceOf(Template.class);
    template.clear();
    assertThat(template.hasConditions()).isFalse();
    assertThat(template.add("n", null).matches(new Event("n", 1))).isTrue();
    assertThat(copy.matches(new Event("type", "sell").add("price", 9).add("n", 4))).isFalse();
    assertThat(copy.matches(new Event("type", "sell").add("price", 10).add("n", 4))).isTrue();
    assertThat(copy.copyFrom(new Event("n", 1)).hasConditions()).isFalse();
    assertThat(copy).isEqualTo(new Event("n", 1));
  }

  @Test
  void shouldNotFitIntoPlainEvent() {
    Template template = new Template().atLeast("price", 10);
    Event event = new Event("key", 1);

    assertThatThrownBy(() -> event.copyFrom(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("conditions")
        .hasMessageContaining("[price: >= 10]");
    assertThat(event).isEqualTo(new Event("key", 1));
    assertThat(event.copyFrom(new Template("a", "b"))).isEqualTo(new Event("a", "b"));
  }

  @Test
  void shouldBeTemplateAlways() {
    assertThat(new Template().isTemplate()).isTrue();
    assertThat(new Template("key", 1).isTemplate()).isTrue();
    assertThat(new Event("key", 1).isTemplate()).isFalse();
    assertThat(new Event("key", null).isTemplate()).isTrue();
  }

  @Test
  void shouldDifferInConditions() {
    assertThat(new Template().atLeast("price", 10)).isEqualTo(new Template().atLeast("price", 10));
    assertThat(new Template().atLeast("price", 10))
        .isNotEqualTo(new Template().atLeast("price", 11));
    assertThat(new Template().atLeast("price", 10)).isNotEqualTo(new Template("price", null));
    assertThat(new Event("price", null)).isNotEqualTo(new Template().atLeast("price", 10));
    assertThat(new Event("price", null)).isEqualTo(new Template("price", null));
    assertThat(new Template().not("price", 1)).isNotEqualTo(new Template().not("price", "1"));
  }

  @Test
  void shouldAllocateNothingWhenMatching() {
    Template template =
        new Template("type", "sell")
            .between("price", 1.0, 20)
            .not("price", 5.0)
            .matchingString("stock", s -> s.length() < 5)
            .matchingLong("quantity", n -> n > 3)
            .matchingDouble("quantity", d -> d < 1e9);
    Event event =
        new Event("type", "sell")
            .add("price", 12.5)
            .add("stock", "APPL")
            .add("quantity", 1_000_000);
    int[] matches = {0};

    assertThat(template.matches(event)).isTrue();
    assertThat(
            AllocatedBytes.inSteadyState(
                5_000, () -> matches[0] += template.matches(event) ? 1 : 0))
        .isZero();
  }

  /** The oracle: conditions are predicates on boxed values, templates and events plain maps. */
  @Test
  void shouldMatchAsANaiveModelDoes() {
    long seed = Seeds.seed();
    System.out.println("TemplateTest model seed=" + seed);
    Random random = new Random(seed);
    Template template = new Template();
    Event event = new Event();
    int matches = 0;
    for (int i = 0; i < 100_000; i++) {
      Map<String, Object> values = new HashMap<>();
      Map<String, Predicate<Object>> asked = new HashMap<>();
      event.clear();
      template.clear();
      for (int k = random.nextInt(5); k > 0; k--) {
        String key = "k" + random.nextInt(4);
        Object value = randomValue(random);
        event.add(key, value);
        values.put(key, value);
      }
      for (int k = random.nextInt(4); k > 0; k--) {
        ask(random, template, asked);
      }
      boolean expected =
          asked.entrySet().stream()
              .allMatch(
                  e -> values.containsKey(e.getKey()) && e.getValue().test(values.get(e.getKey())));
      matches += expected ? 1 : 0;

      assertThat(template.matches(event))
          .as("seed=%s step=%s template=%s event=%s", seed, i, template, event)
          .isEqualTo(expected);
    }
    assertThat(matches).isBetween(1_000, 99_000);
  }

  private static void ask(Random random, Template template, Map<String, Predicate<Object>> asked) {
    String key = "k" + random.nextInt(4);
    Object value = randomValue(random);
    long bound = random.nextInt(3);
    boolean conditioned = template.has(key) && template.hasConditions();
    Predicate<Object> before =
        conditioned && template.condition(template.shape.ordinal(key)) != null
            ? asked.get(key)
            : any -> true;
    switch (random.nextInt(6)) {
      case 0 -> {
        template.add(key, null);
        asked.put(key, any -> true);
      }
      case 1 -> {
        template.atLeast(key, bound);
        asked.put(key, before.and(v -> v instanceof Number n && n.doubleValue() >= bound));
      }
      case 2 -> {
        template.atMost(key, bound + 0.5);
        asked.put(key, before.and(v -> v instanceof Number n && n.doubleValue() <= bound + 0.5));
      }
      case 3 -> {
        if (value instanceof Number || value instanceof String || value instanceof Boolean) {
          template.not(key, value);
          asked.put(key, before.and(v -> !sameValue(value, v)));
        }
      }
      case 4 -> {
        template.matchingString(key, s -> s.endsWith("1"));
        asked.put(key, before.and(v -> v instanceof String s && s.endsWith("1")));
      }
      default -> {
        template.add(key, value);
        asked.put(key, v -> sameValue(value, v));
      }
    }
  }

  private static boolean sameValue(Object a, Object b) {
    return Objects.deepEquals(widened(a), widened(b));
  }

  private static Object widened(Object value) {
    return switch (value) {
      case Byte b -> b.longValue();
      case Short s -> s.longValue();
      case Integer i -> i.longValue();
      case Float f -> f.doubleValue();
      default -> value;
    };
  }

  private static Object randomValue(Random random) {
    int small = random.nextInt(3);
    return switch (random.nextInt(10)) {
      case 0 -> (byte) small;
      case 1 -> small;
      case 2 -> (long) small;
      case 3 -> (float) small / 2;
      case 4 -> small / 2.0;
      case 5 -> random.nextBoolean();
      case 6 -> "s" + small;
      case 7 -> new int[] {small};
      case 8 -> new byte[small];
      default -> new EventTest.Trade("s" + small, random.nextInt(2));
    };
  }
}
