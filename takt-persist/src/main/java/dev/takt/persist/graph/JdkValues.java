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
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
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

  private static final Map<Class<?>, Function<String, Object>> PARSERS =
      Map.ofEntries(
          Map.entry(BigInteger.class, BigInteger::new),
          Map.entry(BigDecimal.class, BigDecimal::new),
          Map.entry(UUID.class, UUID::fromString),
          Map.entry(Instant.class, Instant::parse),
          Map.entry(Duration.class, Duration::parse),
          Map.entry(Period.class, Period::parse),
          Map.entry(LocalDate.class, LocalDate::parse),
          Map.entry(LocalTime.class, LocalTime::parse),
          Map.entry(LocalDateTime.class, LocalDateTime::parse),
          Map.entry(OffsetTime.class, OffsetTime::parse),
          Map.entry(OffsetDateTime.class, OffsetDateTime::parse),
          Map.entry(ZonedDateTime.class, ZonedDateTime::parse),
          Map.entry(Year.class, JdkValues::year),
          Map.entry(YearMonth.class, JdkValues::yearMonth),
          Map.entry(MonthDay.class, MonthDay::parse),
          Map.entry(ZoneOffset.class, ZoneOffset::of),
          Map.entry(ZoneId.class, ZoneId::of));

  private static final Map<String, Class<?>> BY_NAME = new HashMap<>();

  static {
    PARSERS.keySet().forEach(each -> BY_NAME.put(each.getName(), each));
  }

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
    if (PARSERS.containsKey(type)) {
      return type;
    }
    return ZoneId.class.isAssignableFrom(type) ? ZoneId.class : null;
  }

  /** Returns the class of a name, or null if its instances are no values. */
  public static @Nullable Class<?> find(String name) {
    return BY_NAME.get(name);
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
    Function<String, Object> parser = PARSERS.get(type);
    if (parser == null || text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "text of class %s: characters=%s, limit=%s"
              .formatted(type.getName(), text.length(), parser == null ? 0 : MAX_CHARACTERS));
    }
    try {
      return parser.apply(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("'%s' is no %s".formatted(text, type.getName()), e);
    }
  }
}
