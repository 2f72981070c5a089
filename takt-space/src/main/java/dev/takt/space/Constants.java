package dev.takt.space;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Set;
import java.util.UUID;

/**
 * The values that an event holds by reference, as it holds strings: nobody can change them, and two
 * that are equal have the same hash.
 */
final class Constants {
  /** Exactly these: a class that extends one of them might be changed. */
  private static final Set<Class<?>> CLASSES =
      Set.of(
          Character.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class);

  private Constants() {}

  static boolean isConstant(Object value) {
    return value instanceof Enum || CLASSES.contains(value.getClass());
  }

  /** Whether values of a type are constants, unless they are of a class that extends it. */
  static boolean isConstantType(Class<?> type) {
    return type.isEnum() || CLASSES.contains(type);
  }
}
