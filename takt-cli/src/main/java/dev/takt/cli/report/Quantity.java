package dev.takt.cli.report;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;

/**
 * A number and its unit, as people read them: three or four digits, and time in the unit that fits.
 * The JSON keeps every digit and one unit.
 */
public final class Quantity {
  /** Units of time, in nanoseconds. */
  private static final Map<String, Double> TIMES =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  private Quantity() {}

  /** Returns whether a unit is one of time, such as {@code ns}. */
  static boolean isTime(String unit) {
    return TIMES.containsKey(unit);
  }

  /** Returns a value with its unit; what is no number stays as it is, and null is nothing. */
  public static String of(Object value, String unit) {
    return switch (value) {
      case null -> "";
      case Number n when isTime(unit) -> time(n.doubleValue() * TIMES.get(unit));
      case Number n when unit.equals("%") -> number(n) + " %";
      case Number n when unit.equals("1/s") -> number(n) + "/s";
      case Number n when unit.equals("ns/byte") -> number(n) + " ns/B";
      case Number n when unit.equals("bytes") || unit.equals("B") -> number(n) + " B";
      case Number n -> number(n);
      case Boolean b -> b ? "yes" : "no";
      default -> value.toString();
    };
  }

  /** Returns a time as people read it: 61.3 ns, 4.06 us, 330 ms, 1.11 s. */
  public static String time(double ns) {
    double size = Math.abs(ns);
    if (size < 999.5) {
      return digits(ns) + " ns";
    }
    if (size < 999.5e3) {
      return digits(ns / 1e3) + " us";
    }
    return size < 999.5e6 ? digits(ns / 1e6) + " ms" : digits(ns / 1e9) + " s";
  }

  /** Returns a number without a unit: grouped, and a measured one with about four digits. */
  public static String number(Object value) {
    return switch (value) {
      case Double d -> measured(d);
      case Float f -> measured(f);
      case BigDecimal d -> d.toPlainString();
      default -> String.format(Locale.ROOT, "%,d", value);
    };
  }

  private static String measured(double value) {
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 1_000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    boolean whole = value == Math.rint(value) || size >= 99.95;
    return String.format(Locale.ROOT, "%,." + (whole ? 0 : size >= 9.995 ? 1 : 2) + "f", value);
  }
}
