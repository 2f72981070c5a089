package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in words, with all digits and with three, and read again. */
class TimeTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "999, 999 ns",
    "1000, 1 us",
    "999999, 999.999 us",
    "1000000, 1 ms",
    "20000000, 20 ms",
    "27001000, 27.001 ms",
    "1100001000, 1.100001 s",
    "3600000000000, 3600 s",
    "-1500000, -1.5 ms",
    "9223372036854775807, 9223372036.854775807 s",
    "-9223372036854775808, -9223372036.854775808 s"
  })
  void shouldSayAllDigitsInTheUnitThatFits(long ns, String said) {
    assertThat(TimeText.of(ns)).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "61.3, 61.3 ns",
    "999.6, 1.00 us",
    "4061, 4.06 us",
    "999400, 999 us",
    "999600, 1.00 ms",
    "330123456, 330 ms",
    "1110000000, 1.11 s",
    "-4061, -4.06 us"
  })
  void shouldRoundWhatWasMeasured(double ns, String said) {
    assertThat(TimeText.rounded(ns)).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({
    "5ms, 5000000",
    "5 ms, 5000000",
    "1.5s, 1500000000",
    "500us, 500000",
    "0ns, 0",
    "1.000000001s, 1000000001",
    "999999999999999999s, 9223372036854775807"
  })
  void shouldReadATimeWithItsUnit(String text, long ns) {
    assertThat(TimeText.parseNs(text)).hasValue(ns);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "ms", "-5ms", "5 m", "5MS", "9e9ms", ".5ms", "5.ms", "5ms 1ms", "0.5ns"})
  void shouldReadNothingElse(String text) {
    assertThat(TimeText.parseNs(text)).isEmpty();
  }

  @Test
  void shouldReadWhatItSays() {
    Random random = new Random(16);
    for (int i = 0; i < 10_000; i++) {
      long ns = random.nextLong() >>> 1 + random.nextInt(62);
      assertThat(TimeText.parseNs(TimeText.of(ns))).hasValue(ns);
    }
  }
}
