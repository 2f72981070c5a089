package dev.takt.testkit;

import dev.takt.space.Event;
import dev.takt.space.Template;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Random events and templates over few keys and few values of every type, as maps and as the
 * product's objects.
 */
final class RandomEvents {
  /** A record value. */
  record Point(int x, long y) {}

  /** A record value with a string, an array and a record inside. */
  record Named(String name, double[] numbers, Point point) {}

  private static final String[] KEYS = {"a", "b", "c", "d"};

  private static final Object[] VALUES = {
    0L,
    1,
    (short) 1,
    (byte) 2,
    Long.MIN_VALUE,
    0.0,
    -0.0,
    1.0,
    1.0f,
    Double.NaN,
    true,
    false,
    "",
    "x",
    "1",
    new int[] {1, 2},
    new int[0],
    new long[] {1, 2},
    new byte[] {1, 2, 3},
    new short[] {-1},
    new char[] {'x'},
    new float[] {1},
    new double[] {Double.NaN, -0.0},
    new boolean[] {true, false},
    new Point(1, 2),
    new Point(2, 1),
    new Named("x", new double[] {1}, new Point(1, 2)),
    new Named("x", new double[] {1}, new Point(1, 3)),
    new Named(null, null, null)
  };

  /**
   * How many sets of keys templates have: none, one of the four or two of them, each asked for by
   * value or by wildcard.
   */
  static final int TEMPLATE_KEY_SETS = 1 + 4 * 2 + 6 * 4;

  private final SplittableRandom random;
  private final int keyCount;
  private final Object[] values;
  private final boolean withConditions;

  /** Makes a source; some use few keys and values, so that much is found, some many. */
  RandomEvents(SplittableRandom random) {
    this.random = random;
    keyCount = 1 + random.nextInt(KEYS.length);
    values = new Object[2 + random.nextInt(8)];
    for (int i = 0; i < values.length; i++) {
      values[i] = VALUES[random.nextInt(VALUES.length)];
    }
    withConditions = random.nextBoolean();
  }

  /** Returns a random event; its keys are in random order. */
  Map<String, Object> event() {
    Map<String, Object> event = new LinkedHashMap<>();
    int size = 1 + random.nextInt(keyCount);
    while (event.size() < size) {
      event.put(KEYS[random.nextInt(keyCount)], values[random.nextInt(values.length)]);
    }
    return event;
  }

  /** A template both ways: for the model, with predicates for conditions, and for the product. */
  record Both(Map<String, Object> model, Event product) {}

  /**
   * Returns a random template: values, wildcards, and, in some sources, conditions; now and then
   * the empty one.
   */
  Both template() {
    Map<String, Object> model = new LinkedHashMap<>();
    Template product = new Template();
    int size = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(Math.min(2, keyCount));
    while (model.size() < size) {
      String key = KEYS[random.nextInt(keyCount)];
      if (model.containsKey(key)) {
        continue;
      }
      int kind = random.nextInt(withConditions ? 10 : 8);
      if (kind < 2) {
        model.put(key, null);
        product.add(key, null);
      } else if (kind < 8) {
        Object value = values[random.nextInt(values.length)];
        model.put(key, value);
        product.add(key, value);
      } else {
        condition(key, model, product);
      }
    }
    boolean isPlain =
        random.nextBoolean()
            && model.values().stream().noneMatch(value -> value instanceof Predicate);
    return new Both(model, isPlain ? event(model) : product);
  }

  private void condition(String key, Map<String, Object> model, Template product) {
    long bound = random.nextInt(3);
    switch (random.nextInt(4)) {
      case 0 -> {
        product.atLeast(key, bound);
        model.put(key, range(bound, Double.POSITIVE_INFINITY));
      }
      case 1 -> {
        product.between(key, -0.5, bound);
        model.put(key, range(-0.5, bound));
      }
      case 2 -> {
        product.matchingString(key, text -> text.length() == 1);
        model.put(
            key, (Predicate<Object>) value -> value instanceof String text && text.length() == 1);
      }
      default -> {
        product.not(key, bound);
        model.put(key, (Predicate<Object>) value -> !value.equals(bound));
      }
    }
  }

  private static Predicate<Object> range(double min, double max) {
    return value ->
        value instanceof Long number && number >= min && number <= max
            || value instanceof Double real && real >= min && real <= max;
  }

  /** Returns the product's event with the values of a map, null for a wildcard. */
  static Event event(Map<String, ?> values) {
    Event event = new Event();
    values.forEach((key, value) -> event.add(key, (Object) value));
    return event;
  }

  /** Returns the values of the product's event. */
  static Map<String, Object> values(Event event) {
    Map<String, Object> values = new HashMap<>();
    for (String key : event.keys()) {
      values.put(key, event.get(key));
    }
    return values;
  }
}
