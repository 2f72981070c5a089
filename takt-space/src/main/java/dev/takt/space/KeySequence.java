package dev.takt.space;

import java.util.Arrays;

/**
 * The keys of events in their order, for a link or a journal that knows which keys come before it
 * decodes the values: a number is put into an event by its place, without a search for its key.
 *
 * <p><b>Thread rule:</b> immutable.
 *
 * <p><b>Memory:</b> some 20 bytes and 4 for each key. As for events, the JVM keeps each sequence
 * and each beginning of one for good, in some 250 bytes.
 *
 * {@snippet :
 * KeySequence keys = KeySequence.EMPTY.with("id").with("price");
 * event.clear();
 * keys.put(event, 0, 7);
 * keys.put(event, 1, 12.5);
 * }
 */
public final class KeySequence {
  /** Of {@link #putFirst}: an integer. */
  public static final int INTEGER = Types.LONG;

  /** Of {@link #putFirst}: the bits of a floating point number. */
  public static final int FLOATING = Types.DOUBLE;

  /** In how many bits {@link #putFirst} is told of what kind a number is. */
  public static final int KIND_BITS = 4;

  /** The lowest bit of each kind. */
  private static final long ONES = 0x1111_1111_1111_1111L;

  /** The one without keys. */
  public static final KeySequence EMPTY = new KeySequence(new Shape[] {Shape.EMPTY});

  /** With no key, with the first one, and so on, up to all. */
  private final Shape[] shapes;

  private KeySequence(Shape[] shapes) {
    this.shapes = shapes;
  }

  /**
   * Returns the sequence with one more key.
   *
   * @throws IllegalArgumentException if the key is there already, or there are {@link
   *     Event#MAX_KEYS}
   * @throws IllegalStateException if the JVM has as many sequences as it may have
   */
  public KeySequence with(String key) {
    Shape last = shapes[size()];
    if (last.ordinal(key) >= 0 || size() == Event.MAX_KEYS) {
      throw new IllegalArgumentException(
          "key=%s (expected: another than %s, and at most %s in all)"
              .formatted(key, last.keyList, Event.MAX_KEYS));
    }
    Shape[] more = Arrays.copyOf(shapes, shapes.length + 1);
    more[shapes.length] = last.with(key);
    return new KeySequence(more);
  }

  /** Returns how many keys there are. */
  public int size() {
    return shapes.length - 1;
  }

  /** Returns a key by its place, from 0 on. */
  public String key(int place) {
    return shapes[place + 1].keys[place];
  }

  /**
   * Adds the key of a place, with an integer. Allocates nothing once the event is large enough.
   *
   * @param into has the keys before that place, and no other ones
   * @throws IllegalArgumentException if it has not; nothing has happened then
   */
  public void put(Event into, int place, long value) {
    put(into, place, Types.LONG, value);
  }

  /** As {@link #put(Event, int, long)}, with a floating point number. */
  public void put(Event into, int place, double value) {
    put(into, place, Types.DOUBLE, Double.doubleToLongBits(value));
  }

  /** As {@link #put(Event, int, long)}, with a boolean. */
  public void put(Event into, int place, boolean value) {
    put(into, place, Types.BOOLEAN, value ? 1 : 0);
  }

  /**
   * Adds the first keys of the sequence with numbers, all at once; that takes a fraction of the
   * time of one {@link #put} each.
   *
   * @param into has no keys
   * @param kinds {@link #INTEGER} or {@link #FLOATING} for each key, in {@link #KIND_BITS} bits,
   *     the first one in the lowest ones; zero in the others
   * @param numbers begins with the integers, and for floating point numbers what {@link
   *     Double#doubleToLongBits} returns
   * @param count how many, from 0 to {@link #size}
   * @throws IllegalArgumentException if an argument is another; nothing has happened then
   */
  public void putFirst(Event into, long kinds, long[] numbers, int count) {
    into.checkUsable();
    if (into.shape != Shape.EMPTY || count < 0 || count > Math.min(size(), numbers.length)) {
      throw new IllegalArgumentException(
          "the event has the keys %s (expected: none), count=%s (expected: 0 to %s)"
              .formatted(into.keys(), count, Math.min(size(), numbers.length)));
    }
    long ones = count == Event.MAX_KEYS ? ONES : ONES & (1L << KIND_BITS * count) - 1;
    if ((kinds & ~(ones | ones << 1)) != 0 || ((kinds ^ kinds >>> 1) & ONES) != ones) {
      throw new IllegalArgumentException(
          "kinds=%x (expected: %s or %s in each of %s)".formatted(kinds, INTEGER, FLOATING, count));
    }
    into.putFirst(shapes[count], kinds, numbers);
  }

  private void put(Event into, int place, int type, long word) {
    into.checkUsable();
    if (into.shape != shapes[place]) {
      throw new IllegalArgumentException(
          "the event has the keys %s (expected: %s)".formatted(into.keys(), shapes[place].keyList));
    }
    into.putNew(shapes[place + 1], type, word);
  }
}
