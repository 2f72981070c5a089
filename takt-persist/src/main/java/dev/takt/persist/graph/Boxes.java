package dev.takt.persist.graph;

import java.util.Map;

/** Numbers, booleans and characters as objects. */
public final class Boxes {
  private static final Map<Class<?>, Character> TYPES =
      Map.of(
          Boolean.class, 'Z',
          Byte.class, 'B',
          Short.class, 'S',
          Character.class, 'C',
          Integer.class, 'I',
          Long.class, 'J',
          Float.class, 'F',
          Double.class, 'D');

  private Boxes() {}

  /** Returns the first character of the descriptor of what is boxed, or 0. */
  static char typeOf(Class<?> type) {
    return TYPES.getOrDefault(type, (char) 0);
  }

  /** Returns the bits of a value, as the log of a release holds them. */
  public static long bits(Object box) {
    return switch (box) {
      case Boolean value -> value ? 1 : 0;
      case Character value -> value;
      case Float value -> Float.floatToRawIntBits(value);
      case Double value -> Double.doubleToRawLongBits(value);
      default -> ((Number) box).longValue();
    };
  }

  /** Returns the object for the bits of a value. */
  public static Object box(char type, long bits) {
    return switch (type) {
      case 'Z' -> bits != 0;
      case 'B' -> (byte) bits;
      case 'S' -> (short) bits;
      case 'C' -> (char) bits;
      case 'I' -> (int) bits;
      case 'J' -> bits;
      case 'F' -> Float.intBitsToFloat((int) bits);
      default -> Double.longBitsToDouble(bits);
    };
  }
}
