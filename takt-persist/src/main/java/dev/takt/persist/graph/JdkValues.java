package dev.takt.persist.graph;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Classes of the JDK whose instances never change and are stored as their text, which gives an
 * equal one: numbers without a limit, times and dates, identifiers. They need no declaration.
 *
 * <p>Nothing of the JDK's private state gets into a file, so another JDK reads it.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class JdkValues {
  /** How long a text may be, in characters: a number of so many digits takes some microseconds. */
  public static final int MAX_CHARACTERS = 4_096;

  /** By name, so that none of them is loaded before one is met. */
  private static final Set<String> NAMES =
      Set.of(
          "java.math.BigInteger",
          "java.math.BigDecimal",
          "java.util.UUID",
          "java.time.Instant",
          "java.time.Duration",
          "java.time.Period",
          "java.time.LocalDate",
          "java.time.LocalTime",
          "java.time.LocalDateTime",
          "java.time.OffsetTime",
          "java.time.OffsetDateTime",
          "java.time.ZonedDateTime",
          "java.time.Year",
          "java.time.YearMonth",
          "java.time.MonthDay",
          "java.time.ZoneOffset",
          "java.time.ZoneId");

  private JdkValues() {}

  /** Beyond four digits its own parser wants a sign that toString does not write. */
  private static Year year(String text) {
    return Year.of(Integer.parseInt(text));
  }

  /** The same. */
  private static YearMonth yearMonth(String text) {
    int dash = text.lastIndexOf('-');
    return YearMonth.of(
        Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
  }

  /** Returns the class that names what instances of a class are, or null if they are no values. */
  static @Nullable Class<?> typeOf(Class<?> type) {
    if (type.getClassLoader() == null && NAMES.contains(type.getName())) {
      return type;
    }
    return ZoneId.class.isAssignableFrom(type) ? ZoneId.class : null;
  }

  /** Returns the class of a name, or null if its instances are no values. */
  public static @Nullable Class<?> find(String name) {
    if (!NAMES.contains(name)) {
      return null;
    }
    try {
      return Class.forName(name, false, null);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  /**
   * Returns the text of a value.
   *
   * @throws IllegalArgumentException if it is too long
   */
  public static String text(Object value) {
    String text = value.toString();
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "a value of class %s is too long to be stored: characters=%s, limit=%s; keep it in a byte[]"
              .formatted(value.getClass().getName(), text.length(), MAX_CHARACTERS));
    }
    return text;
  }

  /**
   * Returns the value of a text.
   *
   * @param type one that {@link #find} gives
   * @throws IllegalArgumentException if it is none
   */
  public static Object parse(Class<?> type, String text) {
    boolean isValue = NAMES.contains(type.getName());
    if (!isValue || text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "text of class %s: characters=%s, limit=%s"
              .formatted(type.getName(), text.length(), isValue ? MAX_CHARACTERS : 0));
    }
    try {
      return parsed(type, text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("'%s' is no %s".formatted(text, type.getName()), e);
    }
  }

  private static Object parsed(Class<?> type, String text) {
    return switch (type.getName()) {
      case "java.math.BigInteger" -> new BigInteger(text);
      case "java.math.BigDecimal" -> new BigDecimal(text);
      case "java.util.UUID" -> UUID.fromString(text);
      case "java.time.Instant" -> Instant.parse(text);
      case "java.time.Duration" -> Duration.parse(text);
      case "java.time.Period" -> Period.parse(text);
      case "java.time.LocalDate" -> LocalDate.parse(text);
      case "java.time.LocalTime" -> LocalTime.parse(text);
      case "java.time.LocalDateTime" -> LocalDateTime.parse(text);
      case "java.time.OffsetTime" -> OffsetTime.parse(text);
      case "java.time.OffsetDateTime" -> OffsetDateTime.parse(text);
      case "java.time.ZonedDateTime" -> ZonedDateTime.parse(text);
      case "java.time.Year" -> year(text);
      case "java.time.YearMonth" -> yearMonth(text);
      case "java.time.MonthDay" -> MonthDay.parse(text);
      case "java.time.ZoneOffset" -> ZoneOffset.of(text);
      default -> ZoneId.of(text);
    };
  }
}
