package dev.takt.space;

import org.jspecify.annotations.Nullable;

/**
 * Reads values of events as {@link Event#get} does, without allocating for numbers that were read
 * before.
 *
 * <p>A box is immutable, so it may be returned again. The cache remembers, for each of {@value
 * #SIZE} hash values, the last {@link Long} and the last {@link Double}; another number with the
 * same hash value takes the place. Strings and booleans never allocate; arrays and records always
 * do.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * <p><b>Memory:</b> 8 KiB and at most 32 KiB of boxes.
 */
public final class BoxCache {
  private static final int SIZE_BITS = 10;
  private static final int SIZE = 1 << SIZE_BITS;

  private final @Nullable Long[] longs = new Long[SIZE];
  private final @Nullable Double[] doubles = new Double[SIZE];

  /** Makes an empty cache. */
  public BoxCache() {}

  /** Returns the value of a key, boxed; see {@link Event#get}. */
  public @Nullable Object get(Event event, String key) {
    event.checkUsable();
    int ordinal = event.shape.ordinal(key);
    if (ordinal < 0) {
      return event.get(key);
    }
    return switch (Types.at(event.types, ordinal)) {
      case Types.LONG -> box(event.words[ordinal]);
      case Types.DOUBLE -> boxDouble(event.words[ordinal]);
      default -> EventContent.decode(event, ordinal);
    };
  }

  /** Returns whether the key is there and its value is boxed as a {@link Double}. */
  public static boolean isDouble(Event event, String key) {
    event.checkUsable();
    int ordinal = event.shape.ordinal(key);
    return ordinal >= 0 && Types.at(event.types, ordinal) == Types.DOUBLE;
  }

  private Long box(long value) {
    int at = hash(value);
    Long box = longs[at];
    if (box == null || box != value) {
      box = value;
      longs[at] = box;
    }
    return box;
  }

  /** Two NaNs are one number here only if they have the same bits. */
  private Double boxDouble(long bits) {
    int at = hash(bits);
    Double box = doubles[at];
    if (box == null || Double.doubleToRawLongBits(box) != bits) {
      box = Double.longBitsToDouble(bits);
      doubles[at] = box;
    }
    return box;
  }

  private static int hash(long value) {
    return (int) (value * 0x9E37_79B9_7F4A_7C15L >>> Long.SIZE - SIZE_BITS);
  }
}
