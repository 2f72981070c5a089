package dev.takt.client.json;

import dev.takt.client.wire.KeyTree;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.Template;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes events and templates of what {@link JsonReader} has read; see the page of the package.
 *
 * <p><b>Guarantees:</b> whatever was read, nothing but a {@link JsonException} is thrown.
 *
 * <p><b>Thread rule:</b> one thread.
 *
 * <p><b>Memory:</b> none of its own; but an event keeps its sequence of keys for good, so a {@link
 * KeyTree} bounds how many one client may make up.
 */
public final class EventJson {
  private final KeyTree keys;
  private final JsonLimits limits;

  /**
   * Makes one.
   *
   * @param keys what the client has used, also by other ways
   */
  public EventJson(KeyTree keys, JsonLimits limits) {
    this.keys = keys;
    this.limits = limits;
  }

  /**
   * Makes an event.
   *
   * @param value what was read
   * @param into is cleared first; undefined after an exception
   */
  public void event(@Nullable Object value, Event into) throws JsonException {
    fill(value, into, null);
  }

  /** Makes a template; see {@link #event}. */
  public void template(@Nullable Object value, Template into) throws JsonException {
    fill(value, into, into);
  }

  private void fill(@Nullable Object value, Event into, @Nullable Template template)
      throws JsonException {
    into.clear();
    Map<?, ?> all = object("event or template", value);
    if (all.size() > Event.MAX_KEYS) {
      throw new JsonException("keys", all.size(), "at most " + Event.MAX_KEYS);
    }
    take(all);
    for (Map.Entry<?, ?> each : all.entrySet()) {
      String key = (String) each.getKey();
      try {
        put(into, template, key, each.getValue());
      } catch (IllegalArgumentException | IllegalStateException | DateTimeException e) {
        throw new JsonException("value of " + key, e.getMessage(), "what an event can hold");
      } catch (ArithmeticException e) {
        throw new JsonException("value of " + key, each.getValue(), "what an event can hold");
      }
    }
  }

  private void take(Map<?, ?> all) throws JsonException {
    List<String> sequence = new ArrayList<>(all.size());
    all.keySet().forEach(key -> sequence.add((String) key));
    try {
      keys.take(sequence);
    } catch (WireException none) {
      throw new JsonException(none.what(), none.value(), none.expected());
    }
  }

  private static Map<?, ?> object(String what, @Nullable Object value) throws JsonException {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new JsonException(what, value, "an object, such as {\"type\":\"order\"}");
  }

  private void put(Event into, @Nullable Template template, String key, @Nullable Object value)
      throws JsonException {
    switch (value) {
      case null -> wildcard(template, key, "null");
      case String text -> into.add(key, (Object) text);
      case Boolean is -> into.add(key, is.booleanValue());
      case JsonNumber number -> {
        if (number.isInteger()) {
          into.add(key, number.asLong());
        } else {
          into.add(key, number.asDouble());
        }
      }
      case List<?> all -> into.add(key, (Object) texts(all));
      case Map<?, ?> map -> tagged(into, template, key, map);
      default -> throw new JsonException("value of " + key, value, "a value of JSON");
    }
  }

  private static void wildcard(@Nullable Template template, String key, String value)
      throws JsonException {
    if (template == null) {
      throw new JsonException("value of " + key, value, "a value, because this is no template");
    }
    template.add(key, (Object) null);
  }

  private static String[] texts(List<?> all) throws JsonException {
    @Nullable String[] texts = new String[all.size()];
    for (int i = 0; i < texts.length; i++) {
      switch (all.get(i)) {
        case null -> texts[i] = null;
        case String text -> texts[i] = text;
        default ->
            throw new JsonException(
                "element of an array", all.get(i), "a text; for numbers {\"$doubles\":[...]}");
      }
    }
    return texts;
  }

  private void tagged(Event into, @Nullable Template template, String key, Map<?, ?> map)
      throws JsonException {
    if (map.size() != 1) {
      throw new JsonException(
          "value of " + key, map, "one tag, such as {\"$instant\":\"...\"}; events are not nested");
    }
    Map.Entry<?, ?> only = map.entrySet().iterator().next();
    String tag = (String) only.getKey();
    Object value = only.getValue();
    switch (tag) {
      case "$integer" -> into.add(key, integer(tag, value));
      case "$number" -> into.add(key, floating(tag, value));
      case "$character" -> into.add(key, character(value));
      case "$any", "$all", "$atLeast", "$atMost", "$between", "$not" -> {
        wildcard(template, key, tag);
        if (template != null && !tag.equals("$any")) {
          condition(template, key, tag, value);
        }
      }
      default -> into.add(key, constant(tag, value));
    }
  }

  // ---- conditions

  private void condition(Template template, String key, String tag, @Nullable Object value)
      throws JsonException {
    switch (tag) {
      case "$all" -> {
        List<?> all = list(tag, value);
        if (all.size() > WireLimits.MOST_CONDITIONS) {
          throw new JsonException(
              "conditions on one key",
              all.size(),
              "at most " + WireLimits.MOST_CONDITIONS + "; ask more than once, or for ranges");
        }
        for (Object each : all) {
          Map<?, ?> map = object("condition", each);
          if (map.size() != 1 || map.containsKey("$all")) {
            throw new JsonException("condition", map, "one, such as {\"$not\":3}");
          }
          Map.Entry<?, ?> only = map.entrySet().iterator().next();
          condition(template, key, (String) only.getKey(), only.getValue());
        }
      }
      case "$atLeast" -> {
        Object min = number(tag, value);
        if (min instanceof Long whole) {
          template.atLeast(key, whole);
        } else {
          template.atLeast(key, (double) min);
        }
      }
      case "$atMost" -> {
        Object max = number(tag, value);
        if (max instanceof Long whole) {
          template.atMost(key, whole);
        } else {
          template.atMost(key, (double) max);
        }
      }
      case "$between" -> between(template, key, list(tag, value));
      case "$not" -> template.not(key, excluded(value));
      default -> throw new JsonException("condition", tag, "$atLeast, $atMost, $between or $not");
    }
  }

  private static void between(Template template, String key, List<?> bounds) throws JsonException {
    if (bounds.size() != 2) {
      throw new JsonException("$between", bounds, "two numbers");
    }
    Object min = number("$between", bounds.get(0));
    Object max = number("$between", bounds.get(1));
    if (min instanceof Long from && max instanceof Long to) {
      template.between(key, from, to);
    } else {
      template.between(key, ((Number) min).doubleValue(), ((Number) max).doubleValue());
    }
  }

  private static Object excluded(@Nullable Object value) throws JsonException {
    return switch (value) {
      case String text -> text;
      case Boolean is -> is;
      case null -> throw new JsonException("$not", null, "a number, a text, true or false");
      default -> number("$not", value);
    };
  }

  // ---- values with a tag

  private static List<?> list(String tag, @Nullable Object value) throws JsonException {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new JsonException(tag, value, "an array");
  }

  private static String text(String tag, @Nullable Object value) throws JsonException {
    if (value instanceof String text) {
      return text;
    }
    throw new JsonException(tag, value, "a text");
  }

  /** Returns a {@code Long} or a {@code Double}. */
  private static Object number(String tag, @Nullable Object value) throws JsonException {
    boolean isInteger =
        value instanceof JsonNumber number
            ? number.isInteger()
            : value instanceof Map<?, ?> map && map.containsKey("$integer");
    return isInteger ? (Object) integer(tag, value) : (Object) floating(tag, value);
  }

  /** Reads what {@link JsonWriter#integer} has written, or the text of an integer. */
  static long integer(String tag, @Nullable Object value) throws JsonException {
    Object inner = value instanceof Map<?, ?> map && map.size() == 1 ? map.get("$integer") : value;
    if (inner instanceof JsonNumber number) {
      return number.asLong();
    }
    if (inner instanceof String text && text.length() <= 20) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new JsonException(tag, text, "an integer of 64 bits");
      }
    }
    throw new JsonException(tag, value, "an integer, or its digits as a text");
  }

  /** Reads what {@link JsonWriter#floating} has written, or the text of such a number. */
  static double floating(String tag, @Nullable Object value) throws JsonException {
    return inner(value) instanceof JsonNumber number ? number.asDouble() : notFinite(tag, value);
  }

  /** As {@link #floating}, of 32 bits. */
  static float single(String tag, @Nullable Object value) throws JsonException {
    return inner(value) instanceof JsonNumber number
        ? number.asFloat()
        : (float) notFinite(tag, value);
  }

  private static @Nullable Object inner(@Nullable Object value) {
    return value instanceof Map<?, ?> map && map.size() == 1 ? map.get("$number") : value;
  }

  private static double notFinite(String tag, @Nullable Object value) throws JsonException {
    return switch (inner(value) instanceof String text ? text : "") {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw new JsonException(
              tag, value, "a number, or \"NaN\", \"Infinity\" or \"-Infinity\" in $number");
    };
  }

  private static char character(@Nullable Object value) throws JsonException {
    if (value instanceof String text && text.length() == 1) {
      return text.charAt(0);
    }
    long code = value instanceof JsonNumber number ? number.asLong() : -1;
    if (code < 0 || code > Character.MAX_VALUE) {
      throw new JsonException("$character", value, "one of 16 bits, or its number");
    }
    return (char) code;
  }

  private Object constant(String tag, @Nullable Object value) throws JsonException {
    return switch (tag) {
      case "$bigInteger" -> big(text(tag, value));
      case "$bigDecimal" -> decimal(value);
      case "$bytes" -> Base64.getDecoder().decode(text(tag, value));
      case "$uuid" -> UUID.fromString(text(tag, value));
      case "$instant" -> Instant.parse(text(tag, value));
      case "$duration" -> Duration.parse(text(tag, value));
      case "$date" -> LocalDate.parse(text(tag, value));
      case "$time" -> LocalTime.parse(text(tag, value));
      case "$dateTime" -> LocalDateTime.parse(text(tag, value));
      default -> {
        @SuppressWarnings("unchecked") // the reader makes no other lists
        Object array =
            value instanceof List<?> list
                ? JsonArrays.read(tag, (List<@Nullable Object>) list)
                : null;
        if (array == null) {
          throw new JsonException("tag", tag, "one of the protocol's, with the value it has there");
        }
        yield array;
      }
    };
  }

  private BigInteger big(String digits) throws JsonException {
    boolean isNegative = digits.startsWith("-");
    String hex = digits.substring(isNegative ? 1 : 0);
    if (hex.startsWith("0x")) {
      String pairs = hex.length() % 2 == 0 ? hex.substring(2) : "0" + hex.substring(2);
      return new BigInteger(isNegative ? -1 : 1, HexFormat.of().parseHex(pairs));
    }
    return new BigInteger(bounded(digits));
  }

  private String bounded(String digits) throws JsonException {
    if (digits.length() > limits.maxDigits()) {
      throw new JsonException(
          "digits",
          digits,
          "at most " + limits.maxDigits() + " (JsonLimits.maxDigits), or hexadecimal ones with 0x");
    }
    return digits;
  }

  private BigDecimal decimal(@Nullable Object value) throws JsonException {
    if (value instanceof List<?> parts && parts.size() == 2) {
      long scale = integer("scale", parts.get(1));
      if (scale != (int) scale) {
        throw new JsonException("scale", scale, "32 bits");
      }
      return new BigDecimal(big(text("$bigDecimal", parts.get(0))), (int) scale);
    }
    return new BigDecimal(bounded(text("$bigDecimal", value)));
  }
}
