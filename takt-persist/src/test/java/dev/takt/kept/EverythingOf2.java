package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A task that holds one of all that can be stored since version 2. The file of that version among
 * the tests was made of it: what is here must not change.
 */
public final class EverythingOf2 extends ReflexTask {
  private BigDecimal price;
  private BigDecimal again;
  private Object[] values = new Object[17];

  /** Makes it with all empty. */
  public EverythingOf2() {
    super(1 << 10, 1 << 20);
  }

  @Override
  public void execute() {}

  /** Sets all fields. */
  public EverythingOf2 fill() {
    LocalDateTime time = LocalDateTime.of(2_025, 10, 26, 2, 30, 0, 1);
    price = new BigDecimal("-12345678901234567890.1200");
    again = price;
    values =
        new Object[] {
          new BigInteger("-1267650600228229401496703205376"),
          new BigDecimal("1E+1000000"),
          new UUID(1, -2),
          Instant.MIN,
          Duration.ofSeconds(-1, 5),
          Period.of(-1, 2, 3),
          LocalDate.of(-44, 3, 15),
          LocalTime.MAX,
          time,
          OffsetTime.of(LocalTime.NOON, ZoneOffset.ofHours(-3)),
          OffsetDateTime.of(time, ZoneOffset.MAX),
          ZonedDateTime.ofLocal(time, ZoneId.of("Europe/Paris"), ZoneOffset.ofHours(1)),
          Year.of(-99_999),
          YearMonth.of(12_345, 6),
          MonthDay.of(2, 29),
          ZoneOffset.UTC,
          ZoneId.of("America/Phoenix"),
          price,
          List.of(),
          Arrays.asList("a", null, List.of(price, "b")).stream().toList(),
          List.of(1, 2, 3, 4).subList(1, 3),
          Set.of(),
          Set.of("c"),
          Map.of(new BigInteger("5"), List.of(Optional.of(price), Optional.empty())),
        };
    return this;
  }

  /** Returns the values. */
  public Object[] values() {
    return values;
  }

  /** Returns whether two fields that held one value still do. */
  public boolean sharesPrice() {
    return price == again && values[17] == price;
  }
}
