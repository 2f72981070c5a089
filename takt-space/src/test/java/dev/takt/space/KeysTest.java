package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever keys a program has, they spread over the buckets of an index as random ones would. */
class KeysTest {
  private static final int KEYS = 50_000;
  private static final int SPACES = 5;

  static Stream<Arguments> kinds() {
    return Stream.of(
        kind("i", KEYS, i -> (long) i),
        kind("-i", KEYS, i -> -(long) i),
        kind("i << 8", KEYS, i -> (long) i << 8),
        kind("i << 16", KEYS, i -> (long) i << 16),
        kind("i << 24", KEYS, i -> (long) i << 24),
        kind("i << 32", KEYS, i -> (long) i << 32),
        kind("i << 40", KEYS, i -> (long) i << 40),
        kind("i << 48", KEYS, i -> (long) i << 48),
        kind("i << 32 | i", KEYS, i -> (long) i << 32 | i),
        kind("1000 i", KEYS, i -> 1000L * i),
        kind("nanoseconds", KEYS, i -> 1_700_000_000_000_000_000L + 1_000_000L * i),
        kind("2^i", 2_000, i -> Math.scalb(1.0, i - 1000)),
        kind("(double) i", KEYS, i -> (double) i),
        kind("i / 100.0", KEYS, i -> i / 100.0),
        kind("1.0 / i", KEYS, i -> 1.0 / (i + 1)),
        kind("text of i", KEYS, i -> "order-" + i),
        kind("text of one hash code", KEYS, KeysTest::ofOneHashCode),
        kind("Latin and other letters", KEYS, i -> i % 2 == 0 ? "k" + i : "\u03ba" + i),
        kind("zeros", 2_000, i -> "\0".repeat(i)),
        kind("i in a record", KEYS, Order::new),
        kind("prices", KEYS, i -> BigDecimal.valueOf(i, 2)),
        kind("numbers of 100 digits", 2_000, i -> BigInteger.TEN.pow(100).add(number(i))),
        kind("small decimals of one hash code", KEYS, i -> new BigDecimal(number(i))),
        kind("decimals of one hash code", KEYS, i -> new BigDecimal(number(i + (1 << 24)), 3)),
        kind("integers of one hash code", KEYS, KeysTest::number),
        kind("UUIDs of one hash code", KEYS, i -> new UUID(i, i)),
        kind("instants of one hash code", KEYS, i -> Instant.ofEpochSecond((long) i << 32 | i)),
        kind("durations of one hash code", KEYS, i -> Duration.ofSeconds((long) i << 32 | i)),
        kind("dates", KEYS, i -> LocalDate.EPOCH.plusDays(i)),
        kind("times", KEYS, i -> LocalTime.ofNanoOfDay(1_000_000_000L * i)),
        kind("times of days", KEYS, i -> LocalDate.EPOCH.plusDays(i).atTime(i % 24, 0)),
        kind("arrays chosen for one hash", KEYS, i -> new long[] {i, against(i)}),
        kind("records chosen for one hash", KEYS, i -> new Two(i, against(i))));
  }

  private static Arguments kind(String name, int count, IntFunction<Object> key) {
    return Arguments.of(name, count, key);
  }

  private static Object ofOneHashCode(int i) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 16; bit++) {
      text.append((i >>> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  record Order(long id) {}

  record Two(long first, long second) {}

  /** Numbers of which 31 times the upper half and the lower half add up to the same. */
  private static BigInteger number(int i) {
    return BigInteger.valueOf((long) i << 32 | 0xF000_0000L - 31L * i);
  }

  /** What takes back the first word in a hash whose factor is known. */
  private static long against(long first) {
    return -(first ^ first >>> 29) * 0x9E37_79B9_7F4A_7C15L;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void shouldSpreadKeysOverBuckets(String name, int count, IntFunction<Object> key) {
    for (int seed = 0; seed < SPACES; seed++) {
      InitialCounters start = new InitialCounters(0, 0, 0, 0, seed);
      EventSpace space = new EventSpace(SpaceSettings.DEFAULTS, start);
      space.prepare(new Event("key", 0));
      Index index = space.table.indexes[0];
      int[] buckets = new int[1 + index.bucket(-1)];
      for (int i = 0; i < count; i++) {
        Event event = new Event("key", key.apply(i));
        buckets[index.bucket(space.table.plan(event).fingerprint(event))]++;
      }
      double looks = 0;
      int most = 0;
      for (int inBucket : buckets) {
        looks += (double) inBucket * inBucket / count;
        most = Math.max(most, inBucket);
      }
      double ofRandomKeys = 1 + (double) count / buckets.length;
      assertThat(looks).as("nodes in a key's bucket").isLessThan(1.2 * ofRandomKeys);
      assertThat(most).as("nodes in the fullest bucket").isLessThan(16);
    }
  }

  @Test
  void shouldHashEqualStringsAlikeWhateverTheyWereMadeOf() {
    for (int length = 0; length < 20; length++) {
      String text = "\u03baabcdefghijklmnopqrst".substring(0, length);
      String same = new StringBuilder(text).append('\u03ba').substring(0, length);
      assertThat(Values.hashOfString(same)).isEqualTo(Values.hashOfString(text));
    }
  }
}
