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
 * The values that an event holds by reference, as it holds strings: they are immutable, and two
 * that are equal have the same hash.
 */
final class ReferenceValues {
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

  private ReferenceValues() {}

  static boolean isConstant(Object value) {
    return value instanceof Enum || CLASSES.contains(value.getClass());
  }

  /** Whether values of a type are constants, unless they are of a class that extends it. */
  static boolean isConstantType(Class<?> type) {
    return type.isEnum() || CLASSES.contains(type);
  }

  /**
   * A hash of the whole content of a constant, in place of its own: a sender of constants could
   * choose as many as he likes that have the same one of that.
   */
  static long hash(Object constant) {
    return switch (constant) {
      case Character letter -> letter;
      // unlike its own, that of its name does not depend on where it is in memory
      case Enum<?> named -> Values.hashOfString(named.name());
      case UUID id -> Values.hashOfTwo(id.getMostSignificantBits(), id.getLeastSignificantBits());
      case Instant at -> Values.hashOfTwo(at.getEpochSecond(), at.getNano());
      case Duration time -> Values.hashOfTwo(time.getSeconds(), time.getNano());
      case LocalDate date -> date.toEpochDay();
      case LocalTime time -> time.toNanoOfDay();
      case LocalDateTime at ->
          Values.hashOfTwo(at.toLocalDate().toEpochDay(), at.toLocalTime().toNanoOfDay());
      case BigInteger number -> hash(number);
      case BigDecimal number -> hash(number);
      default -> throw new IllegalArgumentException("no constant: " + constant.getClass());
    };
  }

  private static long hash(BigInteger number) {
    if (number.bitLength() < Long.SIZE) {
      return number.longValue();
    }
    byte[] bytes = number.toByteArray();
    long hash = bytes.length;
    for (byte each : bytes) {
      hash = Values.hashOfTwo(hash, each);
    }
    return hash;
  }

  /** Up to 15 digits a {@code double} tells them apart, and making one allocates nothing. */
  private static long hash(BigDecimal number) {
    boolean isSmall = number.precision() <= 15 && Math.abs(number.scale()) <= 22;
    return Values.hashOfTwo(
        number.scale(),
        isSmall ? Double.doubleToLongBits(number.doubleValue()) : hash(number.unscaledValue()));
  }
}
