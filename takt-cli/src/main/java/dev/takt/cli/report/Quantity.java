package dev.takt.cli.report;

import dev.takt.realtime.TimeText;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A number and its unit, as people read them: three or four digits, and time in the unit that fits.
 * The JSON keeps every digit and one unit.
 */
public final class Quantity {
  private Quantity() {}

  /** Returns whether a unit is one of time, such as {@code ns}. */
  static boolean isTime(String unit) {
    return unitNs(unit).isPresent();
  }

  private static OptionalLong unitNs(String unit) {
    return TimeText.parseNs("1" + unit);
  }

  /** Returns a value with its unit; what is no number stays as it is, and null is nothing. */
  public static String of(Object value, String unit) {
    return switch (value) {
      case null -> "";
      case Number n when isTime(unit) ->
          TimeText.rounded(n.doubleValue() * unitNs(unit).orElseThrow());
      case Number n when unit.equals("%") -> number(n) + " %";
      case Number n when unit.equals("1/s") -> number(n) + "/s";
      case Number n when unit.equals("ns/byte") -> number(n) + " ns/B";
      case Number n when unit.equals("bytes") || unit.equals("B") -> number(n) + " B";
      case Number n -> number(n);
      case Boolean b -> b ? "yes" : "no";
      default -> value.toString();
    };
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
}
