package dev.takt.space;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A map from keys to values: what is written into an event space, or, with wildcards, the template
 * to look for.
 *
 * <p>Values are booleans, integers (equal by value whatever their width), floating point numbers,
 * strings, arrays of primitives and of strings, records of these, and constants: characters, enum
 * constants, {@link java.math.BigDecimal}, {@link java.math.BigInteger}, {@link java.util.UUID},
 * {@link java.time.Instant}, {@link java.time.Duration}, {@link java.time.LocalDate}, {@link
 * java.time.LocalTime} and {@link java.time.LocalDateTime}. A value is copied when it is added and
 * copied again when it is read, unless it is immutable, so an event never shares mutable state with
 * anyone. A {@code null} value is a <em>wildcard</em>: it makes the event a template that asks for
 * the key to be there, with any value. A template matches an event that has all its keys, each with
 * an equal value or asked for by a wildcard (Reflexes Fig. 3); the empty template matches every
 * event. {@link Template} adds ranges and predicates.
 *
 * <p>Equality of values: integers by value; floating point numbers as {@link Double#equals}, so NaN
 * equals NaN and 0.0 differs from -0.0; an integer never equals a floating point number; strings,
 * arrays and records by content, arrays only with the same element type, arrays inside records by
 * content too; constants as their {@code equals} has it, so the decimal 1.0 differs from 1.00.
 *
 * <p>A record's components are primitives, boxed primitives, strings, constants, arrays of
 * primitives, and records of these, nested at most {@value #MAX_RECORD_DEPTH} deep; components of
 * reference type may be null. Reading one calls its canonical constructor. A record class in a
 * named module must be public in a package exported to {@code dev.takt.space}, or its package
 * opened to it. The first use of a record class in a JVM builds its codec, which takes milliseconds
 * and allocates: add one in {@code initialize()} of a task that must not pay for that later.
 *
 * <p><b>Thread rule:</b> not thread-safe. An event handed to the space is copied during the call
 * and may be changed or reused at once.
 *
 * <p><b>Memory:</b> reading and replacing numbers, booleans and strings, and adding arrays and
 * records, allocates nothing once the storage is large enough; {@link #clear()} keeps the storage,
 * so one event can be refilled for ever. {@link #get} boxes, and decoding an array or a record
 * makes a new one; {@link #copyInto(String, long[])} does not. The storage is as large as the most
 * that the event has held at once, and what it held last stays reachable until it is overwritten.
 *
 * <p>Source: Reflexes 3.1, Figs 3 and 4.
 *
 * {@snippet :
 * Event offer = new Event("type", "sell").add("price", 12.5).add("quantity", 100);
 * Event anySell = new Event("type", "sell").add("price", null);
 * }
 */
public sealed class Event permits Template {
  /** The most keys that one event can have. */
  public static final int MAX_KEYS = 16;

  /** How deep records in an event can be nested: 1 is a record without records in it. */
  public static final int MAX_RECORD_DEPTH = 16;

  private static final long[] EMPTY_WORDS = {};
  private static final Object[] EMPTY_REFS = {};

  Shape shape = Shape.EMPTY;
  long types;
  long[] words = new long[4];
  long[] extra = EMPTY_WORDS;
  int extraCount;
  Object[] refs = EMPTY_REFS;
  int refCount;

  /** One bit for each key with a wildcard, by its ordinal. */
  int wildcards;

  /** What a space worked out for the keys of this template; see {@code IndexTable}. */
  @Nullable LookupPlan plan;

  /**
   * The pool that this event belongs to, and for which of its releases; null for an event that is
   * not pooled.
   */
  @Nullable EventPool pool;

  long poolEpoch;

  /** Makes an event without keys; as a template it matches every event. */
  public Event() {}

  /**
   * Makes an event with one key.
   *
   * @param key the key, not null
   * @param value the value, or null for a wildcard
   * @throws IllegalArgumentException if the value is of a type that an event cannot hold
   */
  public Event(String key, @Nullable Object value) {
    EventContent.put(this, key, value);
  }

  /**
   * Adds a key, or replaces its value.
   *
   * @param key the key, not null
   * @param value the value, or null for a wildcard
   * @return this event
   * @throws NullPointerException if {@code key} is null
   * @throws IllegalArgumentException if the value is of a type that an event cannot hold, or too
   *     large, or if there are more than {@link #MAX_KEYS} keys; the event is then as it was before
   */
  public Event add(String key, @Nullable Object value) {
    EventContent.put(this, key, value);
    return this;
  }

  /** Adds a key with an integer, or replaces its value; see {@link #add(String, Object)}. */
  public Event add(String key, long value) {
    putScalar(key, Types.LONG, value);
    return this;
  }

  /**
   * Adds a key with a floating point number, or replaces its value; see {@link #add(String,
   * Object)}.
   */
  public Event add(String key, double value) {
    putScalar(key, Types.DOUBLE, Double.doubleToLongBits(value));
    return this;
  }

  /** Adds a key with a boolean, or replaces its value; see {@link #add(String, Object)}. */
  public Event add(String key, boolean value) {
    putScalar(key, Types.BOOLEAN, value ? 1 : 0);
    return this;
  }

  /**
   * Adds a key with a character, or replaces its value; see {@link #add(String, Object)}.
   *
   * <p>Without this method the compiler would take {@code add("side", 'B')} for {@code add("side",
   * 66L)}.
   */
  public Event add(String key, char value) {
    return add(key, (Object) value);
  }

  final void putScalar(String key, int type, long word) {
    put(place(key), type, word);
  }

  /** Sets the value of a key, whose former content, if any, goes. */
  final void put(int ordinal, int type, long word) {
    if (!Types.isScalar(Types.at(types, ordinal)) && Types.isScalar(type)) {
      EventContent.drop(this, ordinal);
    }
    types = Types.with(types, ordinal, type);
    words[ordinal] = word;
    int bit = 1 << ordinal;
    wildcards = type == Types.WILDCARD ? wildcards | bit : wildcards & ~bit;
  }

  /**
   * Returns the ordinal of a key; one that is not there is added, of type {@link Types#WILDCARD}
   * for the moment.
   */
  final int place(String key) {
    checkUsable();
    Shape child = shape.near(key);
    if (child != null) {
      return append(child);
    }
    int ordinal = shape.ordinal(Objects.requireNonNull(key, "key"));
    if (ordinal >= 0) {
      return ordinal;
    }
    if (shape.keys.length == MAX_KEYS) {
      throw new IllegalArgumentException(
          "too many keys: limit=%s, refused=%s; group values into a record or an array"
              .formatted(MAX_KEYS, key));
    }
    return append(shape.with(key));
  }

  /** Adds the last key of a shape whose other keys are those of this event, with a scalar. */
  final void putNew(Shape child, int type, long word) {
    int ordinal = append(child);
    types = Types.with(types, ordinal, type);
    words[ordinal] = word;
  }

  /** Adds all keys of a shape to an event without keys, with scalars. */
  final void putFirst(Shape all, long types, long[] scalars) {
    int count = all.keys.length;
    if (count > words.length) {
      words = new long[Math.max(count, words.length * 2)];
    }
    System.arraycopy(scalars, 0, words, 0, count);
    this.types = types;
    shape = all;
  }

  private int append(Shape child) {
    int ordinal = child.keys.length - 1;
    if (ordinal == words.length) {
      words = Arrays.copyOf(words, ordinal * 2);
    }
    shape = child;
    return ordinal;
  }

  /**
   * Returns the value of a key, boxed, or null if the key is not there or has a wildcard.
   *
   * <p>Integers are {@link Long}, floating point numbers {@link Double}; an array or a record is a
   * new copy. Allocates for every value but a string; see {@link #getLong}, {@link #getDouble},
   * {@link #getBoolean}, {@link #copyInto(String, long[])}.
   *
   * @throws IllegalStateException if the value is a record whose constructor throws
   */
  public final @Nullable Object get(String key) {
    int ordinal = find(key);
    return ordinal < 0 ? null : EventContent.decode(this, ordinal);
  }

  /**
   * Returns an integer value without allocating.
   *
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is not an integer
   */
  public final long getLong(String key) {
    return words[ordinal(key, Types.LONG)];
  }

  /**
   * Returns a floating point value, or an integer value converted to one, without allocating.
   *
   * <p>Integers that need more than 53 bits are rounded to the nearest floating point number.
   *
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is not a number
   */
  public final double getDouble(String key) {
    int ordinal = find(key);
    if (ordinal >= 0 && Types.at(types, ordinal) == Types.LONG) {
      return words[ordinal];
    }
    return Double.longBitsToDouble(words[checked(ordinal, key, Types.DOUBLE)]);
  }

  /**
   * Returns a boolean value without allocating.
   *
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is not a boolean
   */
  public final boolean getBoolean(String key) {
    return words[ordinal(key, Types.BOOLEAN)] != 0;
  }

  /**
   * Returns a string value without allocating.
   *
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is not a string
   */
  public final String getString(String key) {
    return (String) refs[Values.ref(words[ordinal(key, Types.STRING)])];
  }

  /**
   * Returns how many elements an array value has.
   *
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is not an array
   */
  public final int arrayLength(String key) {
    int ordinal = find(key);
    if (ordinal < 0 || Types.at(types, ordinal) < Types.BYTES) {
      checked(ordinal, key, Types.LONGS);
    }
    return (int) extra[Values.offset(words[ordinal])];
  }

  /**
   * Copies an array value to the beginning of an array of the caller's, without allocating.
   *
   * @param key the key
   * @param to at least as long as the value; see {@link #arrayLength}
   * @return how many elements were copied: the length of the value
   * @throws NoSuchElementException if the key is not there
   * @throws ClassCastException if its value is an array of another type, or no array
   * @throws IllegalArgumentException if {@code to} is too short; nothing is copied then
   */
  public final int copyInto(String key, long[] to) {
    return copyInto(key, Types.LONGS, to, to.length);
  }

  /** Copies a {@code byte[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, byte[] to) {
    return copyInto(key, Types.BYTES, to, to.length);
  }

  /** Copies a {@code short[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, short[] to) {
    return copyInto(key, Types.SHORTS, to, to.length);
  }

  /** Copies a {@code char[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, char[] to) {
    return copyInto(key, Types.CHARS, to, to.length);
  }

  /** Copies an {@code int[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, int[] to) {
    return copyInto(key, Types.INTS, to, to.length);
  }

  /** Copies a {@code float[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, float[] to) {
    return copyInto(key, Types.FLOATS, to, to.length);
  }

  /** Copies a {@code double[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, double[] to) {
    return copyInto(key, Types.DOUBLES, to, to.length);
  }

  /** Copies a {@code boolean[]} value; see {@link #copyInto(String, long[])}. */
  public final int copyInto(String key, boolean[] to) {
    return copyInto(key, Types.BOOLEANS, to, to.length);
  }

  private int copyInto(String key, int type, Object to, int room) {
    int at = Values.offset(words[ordinal(key, type)]);
    if (extra[at] > room) {
      throw new IllegalArgumentException(
          ("destination too short: key=%s, length=%s, destination=%s; use an array of "
                  + "arrayLength(key) elements")
              .formatted(key, extra[at], room));
    }
    ArrayCodec.unpack(type, extra, at, to);
    return (int) extra[at];
  }

  private int find(String key) {
    checkUsable();
    return shape.ordinal(Objects.requireNonNull(key, "key"));
  }

  private int ordinal(String key, int type) {
    return checked(find(key), key, type);
  }

  private int checked(int ordinal, String key, int type) {
    if (ordinal < 0) {
      throw new NoSuchElementException("no key " + key + " in " + this);
    }
    int actual = Types.at(types, ordinal);
    if (actual != type) {
      throw new ClassCastException(
          "key %s holds a value of type %s, not %s"
              .formatted(key, Types.name(actual), Types.name(type)));
    }
    return ordinal;
  }

  /** Returns whether the key is there, with a value or a wildcard. */
  public final boolean has(String key) {
    return find(key) >= 0;
  }

  /**
   * Returns the keys, in the order in which they were added, as a list that never changes.
   * Allocates nothing.
   */
  public final List<String> keys() {
    checkUsable();
    return shape.keyList;
  }

  /** Returns the number of keys. */
  public final int size() {
    checkUsable();
    return shape.keys.length;
  }

  /**
   * Returns whether this is a template only: it has a wildcard or a condition and cannot be
   * written.
   */
  public boolean isTemplate() {
    checkUsable();
    return wildcards != 0;
  }

  /**
   * Returns whether this event, as a template, matches another: that has all keys of this one, each
   * with an equal value or, for a wildcard, with any value that satisfies the {@link Template}'s
   * conditions.
   *
   * @param event an event without wildcards
   * @throws IllegalArgumentException if {@code event} is a template
   */
  public final boolean matches(Event event) {
    if (event.isTemplate()) {
      throw new IllegalArgumentException("not an event but a template: " + event);
    }
    checkUsable();
    for (int i = 0; i < shape.keys.length; i++) {
      int other = event.shape.ordinal(shape.keys[i]);
      if (other < 0 || !accepts(i, event, other)) {
        return false;
      }
    }
    return true;
  }

  private boolean accepts(int ordinal, Event event, int other) {
    int type = Types.at(types, ordinal);
    if (type != Types.WILDCARD) {
      return EventContent.sameValue(this, ordinal, event, other);
    }
    int otherType = Types.at(event.types, other);
    long word = event.words[other];
    return accepts(
        ordinal,
        otherType,
        word,
        otherType == Types.STRING ? (String) event.refs[Values.ref(word)] : null);
  }

  /**
   * Returns whether a value satisfies the conditions on a key of this template. Allocates nothing.
   *
   * @param ordinal the place of the key in this template
   * @param type the type of the value, and {@code word} its word
   * @param string the value if it is a string, else null
   */
  boolean accepts(int ordinal, int type, long word, @Nullable String string) {
    return true;
  }

  /** Returns whether a match must also pass {@link #accepts}. */
  boolean hasConditions() {
    return false;
  }

  /** Returns the condition on a key, or null. */
  @Nullable Condition condition(int ordinal) {
    return null;
  }

  void dropConditions() {}

  /** Removes all keys but keeps the storage, so that refilling allocates nothing. */
  public Event clear() {
    checkUsable();
    shape = Shape.EMPTY;
    types = 0;
    wildcards = 0;
    extraCount = 0;
    refCount = 0;
    return this;
  }

  /**
   * Makes this a copy of another event, which it stays independent of. Allocates only if the
   * storage is too small.
   *
   * @return this event
   * @throws IllegalArgumentException if {@code other} has conditions, which only a {@link Template}
   *     can hold
   */
  public Event copyFrom(Event other) {
    if (other.hasConditions()) {
      throw new IllegalArgumentException(
          "an event cannot hold conditions; copy into a Template: " + other);
    }
    load(other);
    return this;
  }

  /** Returns a new independent copy, which outlives the release that this event may belong to. */
  public Event copy() {
    return new Event().copyFrom(this);
  }

  final void load(Event from) {
    from.checkUsable();
    if (from != this) {
      load(
          from.shape,
          from.types,
          from.wildcards,
          from.words,
          0,
          from.extra,
          0,
          from.extraCount,
          from.refs,
          0,
          from.refCount);
    }
  }

  /**
   * Takes over an encoded event from parts of arrays, which may be the slots of a space. Drops
   * conditions.
   */
  final void load(
      Shape shape,
      long types,
      int wildcards,
      long[] words,
      int wordBase,
      long[] extra,
      int extraBase,
      int extraCount,
      Object[] refs,
      int refBase,
      int refCount) {
    checkUsable();
    dropConditions();
    int keyCount = shape.keys.length;
    if (keyCount > this.words.length) {
      this.words = new long[Math.max(keyCount, this.words.length * 2)];
    }
    if (extraCount > this.extra.length) {
      this.extra = new long[extraCount];
    }
    if (refCount > this.refs.length) {
      this.refs = new Object[refCount];
    }
    long[] to = this.words;
    System.arraycopy(words, wordBase, to, 0, keyCount);
    if (extraCount > 0) {
      System.arraycopy(extra, extraBase, this.extra, 0, extraCount);
    }
    for (int i = 0; i < refCount; i++) {
      EventContent.keepRef(this, i, refs[refBase + i]);
    }
    this.shape = shape;
    this.types = types;
    this.wildcards = wildcards;
    this.extraCount = extraCount;
    this.refCount = refCount;
  }

  /** Throws if this event belongs to a release that is over. */
  final void checkUsable() {
    if (pool != null && pool.epoch != poolEpoch) {
      throw new IllegalStateException(
          "event used after its release ended; copy what you need, or the event by new Event().copyFrom(event),"
              + " before the release ends");
    }
  }

  /**
   * Returns whether the other is an event with the same keys, in any order, each with an equal
   * value, or in both with a wildcard under the same conditions. Predicates are the same only if
   * they are the same object.
   */
  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other || other instanceof Event event && EventContent.sameEvent(this, event);
  }

  /** Returns a hash code of the present keys and values; it changes with them. */
  @Override
  public final int hashCode() {
    return EventContent.hash(this);
  }

  /** Returns the keys and values as text, long strings and arrays shortened. Never throws. */
  @Override
  public final String toString() {
    return EventText.of(this);
  }
}
