package dev.takt.realtime;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lengths of time as people write and read them: a number and {@code ns}, {@code us}, {@code ms} or
 * {@code s}.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class TimeText {
  private static final Pattern TIME = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?) *(ns|us|ms|s)");

  /** Each is a thousand of the one before. */
  private enum Unit {
    NS,
    US,
    MS,
    S;

    final String text = name().toLowerCase(Locale.ROOT);

    /** How many digits behind the point are nanoseconds. */
    final int scale = 3 * ordinal();

    /** Returns the largest one of which there is more than a part. */
    static Unit of(double sizeNs, double part) {
      Unit unit = S;
      while (unit != NS && sizeNs < part * Math.pow(10, unit.scale)) {
        unit = values()[unit.ordinal() - 1];
      }
      return unit;
    }
  }

  private TimeText() {}

  /**
   * Returns a time with all its digits, in the largest unit that leaves a digit before the point:
   * 20 ms, 1.100001 s. So what is compared with a limit, or is to be given back as a setting, is
   * what it was.
   *
   * @param ns in nanoseconds
   */
  public static String of(long ns) {
    Unit unit = Unit.of(Math.abs((double) ns), 1);
    return BigDecimal.valueOf(ns, unit.scale).stripTrailingZeros().toPlainString()
        + " "
        + unit.text;
  }

  /**
   * Returns a time with three digits, for what was measured: 61.3 ns, 4.06 us, 330 ms, 1.11 s.
   *
   * @param ns in nanoseconds
   */
  public static String rounded(double ns) {
    Unit unit = Unit.of(Math.abs(ns), 0.9995); // what is rounded up to 1,000 is 1 of the next
    double value = ns / Math.pow(10, unit.scale);
    double size = Math.abs(value);
    boolean whole = value == Math.rint(value) || size >= 99.95;
    int decimals = whole ? 0 : size >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value) + " " + unit.text;
  }

  /**
   * Reads a time: digits, at most nine more behind a point, and the unit, with or without spaces
   * before it.
   *
   * @return whole nanoseconds, 0 to {@link Long#MAX_VALUE}, which is also what is longer; empty: it
   *     is no time, or has a part of one
   */
  public static OptionalLong parseNs(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      return OptionalLong.empty();
    }
    Unit unit = Unit.valueOf(time.group(2).toUpperCase(Locale.ROOT));
    BigDecimal ns = new BigDecimal(time.group(1)).movePointRight(unit.scale);
    boolean isWhole = ns.stripTrailingZeros().scale() <= 0;
    return isWhole
        ? OptionalLong.of(ns.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValueExact())
        : OptionalLong.empty();
  }
}
