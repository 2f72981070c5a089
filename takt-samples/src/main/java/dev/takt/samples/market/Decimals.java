package dev.takt.samples.market;

import java.math.BigInteger;

/**
 * Decimal numbers as scaled integers with 8 decimal places, exact.
 *
 * <p>A number below 10,000,000,000 fits; scaled it stays below 10<sup>18</sup>, so that a long has
 * room to spare and a product of two fits 128 bits.
 */
public final class Decimals {
  /** How many decimal places a scaled integer has. */
  public static final int PLACES = 8;

  /** What one unit is as a scaled integer. */
  public static final long SCALE = 100_000_000;

  /** The first number that does not fit, as a scaled integer. */
  public static final long LIMIT = 1_000_000_000_000_000_000L;

  private static final int MAX_LENGTH = 40;

  private Decimals() {}

  /**
   * Parses {@code digits} or {@code digits.digits}.
   *
   * @param name what the number is, for the error
   * @return the scaled integer, from 0 to below {@link #LIMIT}
   * @throws Malformed if it is no such number, is too large, or has more than 8 decimal places that
   *     are not 0
   */
  static long parse(String name, byte[] bytes, int from, int to) throws Malformed {
    if (to - from > MAX_LENGTH || to == from) {
      throw refuse(
          name,
          bytes,
          from,
          to,
          "has " + (to - from) + " characters (expected: 1 to " + MAX_LENGTH + ")");
    }
    long value = 0;
    int at = from;
    while (at < to && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at++] - '0');
      if (value >= LIMIT / SCALE) {
        throw refuse(name, bytes, from, to, "is too large (expected: below " + LIMIT / SCALE + ")");
      }
    }
    if (at == from) {
      throw refuse(name, bytes, from, to, "is not a decimal number");
    }
    int places = 0;
    if (at < to && bytes[at] == '.') {
      at++;
      int first = at;
      for (; at < to && isDigit(bytes[at]); at++) {
        if (places < PLACES) {
          value = value * 10 + (bytes[at] - '0');
          places++;
        } else if (bytes[at] != '0') {
          throw refuse(name, bytes, from, to, "has more than " + PLACES + " decimal places");
        }
      }
      if (at == first) {
        throw refuse(name, bytes, from, to, "is not a decimal number");
      }
    }
    if (at < to) {
      throw refuse(name, bytes, from, to, "is not a decimal number");
    }
    for (; places < PLACES; places++) {
      value *= 10;
    }
    return value;
  }

  /**
   * Parses an unsigned integer that fits a long.
   *
   * @throws Malformed if it is no such number or too large
   */
  static long parseLong(String name, byte[] bytes, int from, int to) throws Malformed {
    if (to == from || to - from > 19) {
      throw refuse(name, bytes, from, to, "has " + (to - from) + " characters (expected: 1 to 19)");
    }
    long value = 0;
    for (int at = from; at < to; at++) {
      if (!isDigit(bytes[at])) {
        throw refuse(name, bytes, from, to, "is not an unsigned integer");
      }
      value = value * 10 + (bytes[at] - '0');
    }
    if (value < 0) {
      throw refuse(
          name, bytes, from, to, "is too large (expected: at most " + Long.MAX_VALUE + ")");
    }
    return value;
  }

  /** Returns the index of the first byte that is no digit. */
  static int endOfDigits(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isDigit(bytes[at])) {
      at++;
    }
    return at;
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Returns the unsigned integer whose 64-bit digits these are, the most significant first. */
  static BigInteger unsigned(long... words) {
    BigInteger value = BigInteger.ZERO;
    for (long word : words) {
      value = value.shiftLeft(32).or(BigInteger.valueOf(word >>> 32));
      value = value.shiftLeft(32).or(BigInteger.valueOf(word & 0xFFFF_FFFFL));
    }
    return value;
  }

  private static Malformed refuse(String name, byte[] bytes, int from, int to, String problem) {
    return new Malformed(name + " " + Text.quote(bytes, from, to) + " " + problem);
  }
}
