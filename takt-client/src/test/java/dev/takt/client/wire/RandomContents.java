package dev.takt.client.wire;

import dev.takt.space.Event;
import dev.takt.space.Template;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Random;
import java.util.UUID;

/** Random events and templates, with values of all types that have a place in a message. */
public final class RandomContents {
  private static final String KEYS = "abcdefghij";

  private final Random random;

  /** With a seed that is printed. */
  public RandomContents(long seed) {
    random = new Random(seed);
  }

  private Object value() {
    return switch (random.nextInt(20)) {
      case 0 -> random.nextLong();
      case 1 -> Double.longBitsToDouble(random.nextLong());
      case 2 -> random.nextBoolean();
      case 3, 4 -> text();
      case 5 -> random.ints(random.nextInt(5)).toArray();
      case 6 -> random.longs(random.nextInt(5)).toArray();
      case 7 -> random.doubles(random.nextInt(5)).toArray();
      case 8 -> new String[] {text(), null, text()};
      case 9 -> (char) random.nextInt(1 << 16);
      case 10 -> new BigInteger(random.nextInt(100), random);
      case 11 -> new BigDecimal(new BigInteger(random.nextInt(100), random), random.nextInt(9) - 4);
      case 12 -> new UUID(random.nextLong(), random.nextLong());
      case 13 -> new float[] {random.nextInt() / 7f, Float.NaN, Float.NEGATIVE_INFINITY};
      case 14 -> new short[] {(short) random.nextInt(), 5};
      case 15 -> new boolean[] {random.nextBoolean(), true};
      case 16 -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case 17 -> new char[] {(char) random.nextInt(1 << 16), 'x'};
      case 18 -> time();
      default ->
          random.nextBoolean()
              ? Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))
              : Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
    };
  }

  private Object time() {
    LocalDate date = LocalDate.ofEpochDay(random.nextInt(1 << 30) - (1 << 29));
    LocalTime time = LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
    return switch (random.nextInt(3)) {
      case 0 -> date;
      case 1 -> time;
      default -> date.atTime(time);
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(random.nextInt(10) == 0 ? 100 : 6); i > 0; i--) {
      int c = random.nextInt(random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1);
      text.appendCodePoint(Character.getType(c) == Character.SURROGATE ? 'x' : c);
    }
    return text.toString();
  }

  /** In the order of the alphabet, because a process has room for so many orders only. */
  public Event event(Event into) {
    for (int i = 0; i < KEYS.length(); i++) {
      if (random.nextInt(3) == 0) {
        into.add(KEYS.substring(i, i + 1), value());
      }
    }
    return into;
  }

  public Template template() {
    Template template = (Template) event(new Template());
    for (int i = 0; i < KEYS.length(); i++) {
      String key = KEYS.substring(i, i + 1);
      if (template.has(key)) {
        condition(template, key);
      }
    }
    return template;
  }

  private void condition(Template template, String key) {
    long bound = random.nextInt(100) - 50;
    switch (random.nextInt(10)) {
      case 0 -> template.add(key, null);
      case 1 -> template.atLeast(key, bound).not(key, text());
      case 2 -> template.atMost(key, bound).atLeast(key, bound - 0.5);
      case 3 -> template.between(key, bound, bound + 3).not(key, bound);
      case 4 -> template.between(key, (double) bound, Double.POSITIVE_INFINITY);
      case 5 -> template.atMost(key, bound / 3.0).not(key, random.nextBoolean()).not(key, 0.5);
      default -> {}
    }
  }
}
