package dev.takt.space;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Gives away what is in an event, key by key: for a journal or a link that encodes events in a
 * format of its own. Numbers, booleans and strings come without an allocation; all else as a copy.
 *
 * <p><b>Thread rule:</b> any thread, as long as no other one changes the event.
 */
public final class EventParts {
  /** Receives the values of an event, in the order of its keys. */
  public interface Sink {
    /** An integer of any width. */
    void integer(long value);

    /** A floating point number. */
    void floating(double value);

    /** A boolean. */
    void bool(boolean value);

    /** A string. */
    void text(String value);

    /** An array, a record, or one of the constants that events hold; a copy that is the sink's. */
    void other(Object value);
  }

  /** Receives what a template asks for, in the order of its keys. */
  public interface TemplateSink extends Sink {
    /** Any value. */
    void wildcard();

    /** As many conditions follow, all on this key. */
    void conditions(int count);

    /** A condition: a number of at least an integer. */
    void atLeast(long min);

    /** A condition: a number of at most an integer. */
    void atMost(long max);

    /** A condition: a number between integers, both included. */
    void between(long min, long max);

    /**
     * A condition: a number between floating point numbers, both included, which may be infinite.
     */
    void between(double min, double max);

    /** A condition: any value but the one that is given next. */
    void not();
  }

  /** How many bytes a word of an event takes at most: a number of variable length and its tag. */
  private static final int WORD_BYTES = 12;

  private static final int CONSTANT_BYTES = 48;

  private EventParts() {}

  /**
   * Returns a number that, in this process, stands for the keys of an event in their order: from 0
   * to 65,535, the lower ones first.
   */
  public static int shape(Event event) {
    return event.shape.id;
  }

  /**
   * Checks what a write of the event needs, but for room.
   *
   * @param settings the limits of the space
   * @throws IllegalArgumentException if it is a template, or has more than the space takes
   */
  public static void requireWritable(Event event, SpaceSettings settings) {
    event.checkUsable();
    if (event.isTemplate()) {
      throw new IllegalArgumentException(
          "a template cannot be written: " + event + "; give each key a value");
    }
    int bytes = (event.shape.keys.length + event.extraCount) * Long.BYTES;
    if (bytes > settings.maxEventBytes()) {
      throw new IllegalArgumentException(
          ("event too large: %s bytes, limit=%s; write less, or raise "
                  + "SpaceSettings.maxEventBytes")
              .formatted(bytes, settings.maxEventBytes()));
    }
    if (event.refCount > settings.maxReferences()) {
      throw new IllegalArgumentException(
          ("too many references in an event: %s, limit=%s (a string, an enum constant, a decimal, a"
                  + " UUID or a time is one, and so is each element of a String[]); write fewer, or"
                  + " raise SpaceSettings.maxReferences")
              .formatted(event.refCount, settings.maxReferences()));
    }
  }

  /**
   * Gives the values of an event.
   *
   * @throws IllegalArgumentException if it is a template
   * @throws IllegalStateException if a value is a record whose constructor throws
   */
  public static void give(Event event, Sink sink) {
    if (event.isTemplate()) {
      throw new IllegalArgumentException("a template has no values: " + event);
    }
    for (int i = 0; i < event.shape.keys.length; i++) {
      giveValue(event, i, sink);
    }
  }

  /**
   * Gives what a template asks for; an event without wildcards asks for its values.
   *
   * @throws IllegalArgumentException if it has a predicate
   * @throws IllegalStateException if a value is a record whose constructor throws
   */
  public static void giveTemplate(Event template, TemplateSink sink) {
    template.checkUsable();
    for (int i = 0; i < template.shape.keys.length; i++) {
      giveAsked(template, i, sink);
    }
  }

  private static void giveAsked(Event template, int ordinal, TemplateSink sink) {
    if (Types.at(template.types, ordinal) != Types.WILDCARD) {
      giveValue(template, ordinal, sink);
      return;
    }
    Condition condition = template.condition(ordinal);
    if (condition == null) {
      sink.wildcard();
    } else {
      sink.conditions(condition.count());
      condition.give(sink);
    }
  }

  @SuppressWarnings("NullAway") // what is no wildcard has a value
  private static void giveValue(Event event, int ordinal, Sink sink) {
    long word = event.words[ordinal];
    switch (Types.at(event.types, ordinal)) {
      case Types.LONG -> sink.integer(word);
      case Types.DOUBLE -> sink.floating(Double.longBitsToDouble(word));
      case Types.BOOLEAN -> sink.bool(word != 0);
      case Types.STRING -> sink.text((String) event.refs[Values.ref(word)]);
      default -> sink.other(EventContent.decode(event, ordinal));
    }
  }

  /**
   * Returns how many bytes an event takes at most in a plain encoding: 12 for each key and for each
   * 8 bytes of arrays and records, 8 and 2 for each character of strings, names of constants and
   * keys, 48 and all digits for other constants.
   */
  public static long maxBytes(Event event) {
    int words = event.shape.keys.length + event.extraCount;
    return maxBytes(event.shape, words, event.refs, 0, event.refCount);
  }

  static long maxBytes(Shape shape, int words, @Nullable Object[] refs, int from, int count) {
    long bytes = (long) WORD_BYTES * words;
    for (String key : shape.keys) {
      bytes += textBytes(key);
    }
    for (int i = from; i < from + count; i++) {
      bytes += bytes(refs[i]);
    }
    return bytes;
  }

  private static long bytes(@Nullable Object ref) {
    return switch (ref) {
      case String text -> textBytes(text);
      case Enum<?> constant -> textBytes(constant.name());
      case BigInteger number -> CONSTANT_BYTES + number.bitLength() / Byte.SIZE;
      case BigDecimal number -> CONSTANT_BYTES + number.precision();
      case null, default -> CONSTANT_BYTES;
    };
  }

  private static long textBytes(String text) {
    return 8 + 2L * text.length();
  }
}
