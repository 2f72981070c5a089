package dev.takt.space;

/**
 * The value types of an event, as the four-bit codes that an encoded event carries, one for each
 * key.
 */
final class Types {
  /** A template's {@code null}: the key must be there, with any value. */
  static final int WILDCARD = 0;

  static final int LONG = 1;
  static final int DOUBLE = 2;
  static final int BOOLEAN = 3;
  static final int STRING = 4;

  /** A record, a constant or a {@code String[]}; see {@link Values}. */
  static final int RECORD = 5;

  static final int BYTES = 6;
  static final int SHORTS = 7;
  static final int CHARS = 8;
  static final int INTS = 9;
  static final int LONGS = 10;
  static final int FLOATS = 11;
  static final int DOUBLES = 12;
  static final int BOOLEANS = 13;

  private static final String[] NAMES = {
    "wildcard",
    "integer",
    "floating point",
    "boolean",
    "String",
    "record or constant",
    "byte[]",
    "short[]",
    "char[]",
    "int[]",
    "long[]",
    "float[]",
    "double[]",
    "boolean[]"
  };

  private Types() {}

  /**
   * Whether the word of a value of this type is the whole value; otherwise it is a hash and a
   * place.
   */
  static boolean isScalar(int type) {
    return type <= BOOLEAN;
  }

  static int at(long types, int ordinal) {
    return (int) (types >>> (ordinal << 2)) & 0xF;
  }

  static long with(long types, int ordinal, int type) {
    int shift = ordinal << 2;
    return types & ~(0xFL << shift) | (long) type << shift;
  }

  static String name(int type) {
    return NAMES[type];
  }
}
