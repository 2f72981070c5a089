package dev.takt.client.wire;

import dev.takt.space.Event;
import dev.takt.space.KeySequence;
import dev.takt.space.Template;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes events and templates. Numbers, booleans, and keys and strings that have come before
 * allocate nothing.
 */
final class EventReader {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  /**
   * What a string takes beside its characters: two headers, a hash, and what fills the last word.
   */
  private static final int TEXT_BYTES = 56;

  /** What any other object takes beside its digits: at most what a decimal does. */
  private static final int OBJECT_BYTES = 128;

  private final ByteInput in;
  private final KeyTree tree;
  private final TextCache texts;

  /** Those of the other side, by the numbers that it has given. */
  private @Nullable KeySequence[] numbered = new KeySequence[16];

  /** The numbers of sequences with too many keys; the other side does not know that they are. */
  private final BitSet refused = new BitSet(0);

  /** The numbers that an event begins with. */
  private final long[] numbers = new long[Event.MAX_KEYS];

  private long heldBytes;

  EventReader(ByteInput in, WireLimits limits, KeyTree tree) {
    this.in = in;
    this.tree = tree;
    texts = new TextCache(limits.cachedTexts());
  }

  /** Takes an event into one of the caller's, or a template into a template. */
  void take(Event into, @Nullable Template template) throws WireException {
    into.clear();
    heldBytes = 0;
    KeySequence keys = keys();
    int count = keys.size();
    for (int place = firstNumbers(into, keys); place < count; place++) {
      int from = in.at();
      try {
        value(into, template, keys, place);
      } catch (IllegalArgumentException | IllegalStateException e) {
        throw in.wrong(
            "value of " + keys.key(place), from, e.getMessage(), "what an event can hold");
      }
    }
  }

  /**
   * Takes the numbers that an event begins with, as far as they are whole; returns how many. Most
   * events have nothing else, and are put together at once.
   */
  private int firstNumbers(Event into, KeySequence keys) throws WireException {
    byte[] bytes = in.bytes();
    int from = in.at();
    int left = in.left();
    int most = keys.size();
    int at = from;
    int count = 0;
    long kinds = 0;
    while (count < most && left > 0) {
      int tag = bytes[at];
      int size = WireFormat.numberBytes(tag);
      if (size == 0 || size >= left) {
        break;
      }
      long word = ByteInput.integer(bytes, at + 1, size);
      int kind = KeySequence.INTEGER;
      if (tag == WireFormat.FLOATING) {
        kind = KeySequence.FLOATING;
        word = Double.doubleToLongBits(Double.longBitsToDouble(word)); // of all NaNs the one
      }
      kinds |= (long) kind << KeySequence.KIND_BITS * count;
      numbers[count++] = word;
      at += 1 + size;
      left -= 1 + size;
    }
    in.take("numbers", at - from);
    keys.putFirst(into, kinds, numbers, count);
    return count;
  }

  /** Returns how much of the heap the objects of the last event take, at most. */
  long heldBytes() {
    return heldBytes;
  }

  private KeySequence keys() throws WireException {
    int from = in.at();
    int number = in.u16("number of keys");
    if (number < WireFormat.GIVEN) {
      KeySequence known = number < numbered.length ? numbered[number] : null;
      if (known == null && refused.get(number)) {
        throw tree.tooMany(from, "that of number " + number);
      }
      if (known == null) {
        throw in.wrong("number of keys", from, number, "one that was given before");
      }
      return known;
    }
    boolean isGiven = number != WireFormat.NO_NUMBER;
    try {
      KeySequence fresh = newKeys();
      if (isGiven) {
        give(number & ~WireFormat.GIVEN, from, fresh);
      }
      return fresh;
    } catch (WireException wrong) {
      if (isGiven && wrong.isOfKeys()) {
        give(number & ~WireFormat.GIVEN, from, null);
      }
      throw wrong;
    }
  }

  private KeySequence newKeys() throws WireException {
    int from = in.at();
    int count = in.u8("keys");
    if (count > Event.MAX_KEYS) {
      throw in.wrong("keys", from, count, "at most " + Event.MAX_KEYS);
    }
    KeyTree.Node node = tree.root;
    for (int i = 0; i < count; i++) {
      node = tree.take(in, node);
    }
    return node.keys;
  }

  /** Keeps what a number stands for; null if the keys are too many. */
  private void give(int number, int from, @Nullable KeySequence keys) throws WireException {
    if (number >= WireFormat.MAX_NUMBERS) {
      throw in.wrong("given number of keys", from, number, "0 to " + (WireFormat.MAX_NUMBERS - 1));
    }
    if (number >= numbered.length) {
      int size = Math.min(WireFormat.MAX_NUMBERS, Math.max(number + 1, 2 * numbered.length));
      numbered = Arrays.copyOf(numbered, size);
    }
    numbered[number] = keys;
    refused.set(number, keys == null);
  }

  String text() throws WireException {
    long length = in.i32("length of text") & 0xFFFF_FFFFL;
    String text = texts.take(in, "text", length);
    int characters = text.length();
    heldBytes += TEXT_BYTES + (characters == length ? length : 2L * characters); // ASCII, or not
    return text;
  }

  private void value(Event into, @Nullable Template template, KeySequence keys, int place)
      throws WireException {
    int from = in.at();
    int tag = in.u8("tag");
    if (WireFormat.isShortInteger(tag)) {
      keys.put(into, place, in.integer("integer", tag - WireFormat.SHORT_INTEGER));
      return;
    }
    switch (tag) {
      case WireFormat.INTEGER -> keys.put(into, place, in.i64("integer"));
      case WireFormat.FLOATING -> keys.put(into, place, Double.longBitsToDouble(in.i64("number")));
      case WireFormat.FALSE -> keys.put(into, place, false);
      case WireFormat.TRUE -> keys.put(into, place, true);
      case WireFormat.ANY, WireFormat.CONDITIONS -> {
        String key = keys.key(place);
        if (template == null) {
          throw in.wrong("tag", from, tag, "a value, because this is no template");
        }
        template.add(key, (Object) null);
        if (tag == WireFormat.CONDITIONS) {
          conditions(template, key);
        }
      }
      default -> {
        into.add(keys.key(place), object(tag, from));
        if (tag > WireFormat.TEXTS) {
          heldBytes += OBJECT_BYTES + in.at() - from;
        }
      }
    }
  }

  private Object object(int tag, int from) throws WireException {
    try {
      return switch (tag) {
        case WireFormat.TEXT -> text();
        case WireFormat.ARRAY -> array();
        case WireFormat.TEXTS -> textArray();
        case WireFormat.CHARACTER -> (char) in.u16("character");
        case WireFormat.BIG_INTEGER -> big();
        case WireFormat.BIG_DECIMAL -> {
          int scale = in.i32("scale");
          yield new BigDecimal(big(), scale);
        }
        case WireFormat.UUID -> new UUID(in.i64("UUID"), in.i64("UUID"));
        case WireFormat.INSTANT -> Instant.ofEpochSecond(in.i64("seconds"), nanos());
        case WireFormat.DURATION -> Duration.ofSeconds(in.i64("seconds"), nanos());
        case WireFormat.DATE -> LocalDate.ofEpochDay(in.i64("day"));
        case WireFormat.TIME -> LocalTime.ofNanoOfDay(in.i64("nanosecond of the day"));
        case WireFormat.DATE_TIME ->
            LocalDateTime.of(
                LocalDate.ofEpochDay(in.i64("day")),
                LocalTime.ofNanoOfDay(in.i64("nanosecond of the day")));
        default -> throw in.wrong("tag", from, tag, "at most " + WireFormat.LAST_TAG);
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw in.wrong("time", from, e.getMessage(), "one that java.time has");
    }
  }

  private int nanos() throws WireException {
    return in.range("nanoseconds", 0, NANOS_PER_SECOND - 1);
  }

  private BigInteger big() throws WireException {
    int from = in.at();
    int length = in.count("bytes of a big integer", 1);
    if (length == 0) {
      throw in.wrong("bytes of a big integer", from, length, "1 or more");
    }
    return new BigInteger(in.bytes(), in.take("big integer", length), length);
  }

  private String[] textArray() throws WireException {
    @Nullable String[] all = new String[in.count("texts", 1)];
    for (int i = 0; i < all.length; i++) {
      if (bit("presence of a text")) {
        all[i] = text();
      }
    }
    return all;
  }

  private boolean bit(String what) throws WireException {
    int from = in.at();
    int bit = in.u8(what);
    if (bit > 1) {
      throw in.wrong(what, from, bit, "0 or 1");
    }
    return bit == 1;
  }

  // ---- arrays

  private Object array() throws WireException {
    int from = in.at();
    int type = in.u8("type of array");
    return switch (type) {
      case 'Z' -> {
        boolean[] values = new boolean[in.count("booleans", 1)];
        for (int i = 0; i < values.length; i++) {
          values[i] = bit("boolean");
        }
        yield values;
      }
      case 'B' -> {
        byte[] values = new byte[in.count("bytes", 1)];
        System.arraycopy(in.bytes(), in.take("bytes", values.length), values, 0, values.length);
        yield values;
      }
      case 'S' -> {
        short[] values = new short[in.count("shorts", Short.BYTES)];
        int at = in.take("shorts", (long) Short.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Short.BYTES) {
          values[i] = (short) WireFormat.SHORT.get(in.bytes(), at);
        }
        yield values;
      }
      case 'C' -> {
        char[] values = new char[in.count("chars", Character.BYTES)];
        int at = in.take("chars", (long) Character.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Character.BYTES) {
          values[i] = (char) WireFormat.CHAR.get(in.bytes(), at);
        }
        yield values;
      }
      case 'I', 'F', 'J', 'D' -> wideArray(type);
      default -> throw in.wrong("type of array", from, type, "one of the characters ZBSCIFJD");
    };
  }

  private Object wideArray(int type) throws WireException {
    return switch (type) {
      case 'I' -> {
        int[] values = new int[in.count("ints", Integer.BYTES)];
        int at = in.take("ints", (long) Integer.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Integer.BYTES) {
          values[i] = (int) WireFormat.INT.get(in.bytes(), at);
        }
        yield values;
      }
      case 'F' -> {
        float[] values = new float[in.count("floats", Float.BYTES)];
        int at = in.take("floats", (long) Float.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Float.BYTES) {
          values[i] = (float) WireFormat.FLOAT.get(in.bytes(), at);
        }
        yield values;
      }
      case 'J' -> {
        long[] values = new long[in.count("longs", Long.BYTES)];
        int at = in.take("longs", (long) Long.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Long.BYTES) {
          values[i] = (long) WireFormat.LONG.get(in.bytes(), at);
        }
        yield values;
      }
      default -> {
        double[] values = new double[in.count("doubles", Double.BYTES)];
        int at = in.take("doubles", (long) Double.BYTES * values.length);
        for (int i = 0; i < values.length; i++, at += Double.BYTES) {
          values[i] = (double) WireFormat.DOUBLE.get(in.bytes(), at);
        }
        yield values;
      }
    };
  }

  // ---- conditions

  private void conditions(Template template, String key) throws WireException {
    int from = in.at();
    int count = in.u8("conditions");
    if (count == 0) {
      throw in.wrong("conditions", from, count, "1 or more");
    }
    for (int i = 0; i < count; i++) {
      condition(template, key);
    }
  }

  private void condition(Template template, String key) throws WireException {
    int from = in.at();
    int code = in.u8("condition");
    switch (code) {
      case WireFormat.AT_LEAST -> template.atLeast(key, in.i64("bound"));
      case WireFormat.AT_MOST -> template.atMost(key, in.i64("bound"));
      case WireFormat.BETWEEN_INTEGERS -> {
        long min = in.i64("bound");
        template.between(key, min, in.i64("bound"));
      }
      case WireFormat.BETWEEN_NUMBERS -> {
        double min = Double.longBitsToDouble(in.i64("bound"));
        template.between(key, min, Double.longBitsToDouble(in.i64("bound")));
      }
      case WireFormat.NOT -> template.not(key, excluded());
      default -> throw in.wrong("condition", from, code, "1 to " + WireFormat.NOT);
    }
  }

  private Object excluded() throws WireException {
    int from = in.at();
    int tag = in.u8("tag");
    if (WireFormat.isShortInteger(tag)) {
      return in.integer("integer", tag - WireFormat.SHORT_INTEGER);
    }
    return switch (tag) {
      case WireFormat.INTEGER -> in.i64("integer");
      case WireFormat.FLOATING -> Double.longBitsToDouble(in.i64("number"));
      case WireFormat.FALSE -> false;
      case WireFormat.TRUE -> true;
      case WireFormat.TEXT -> text();
      default -> throw in.wrong("tag of an excluded value", from, tag, "1 to " + WireFormat.TEXT);
    };
  }
}
