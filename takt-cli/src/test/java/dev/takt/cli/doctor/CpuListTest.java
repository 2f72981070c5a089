package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuListTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0|0", "0-3|0-3", "0,1|0,1", "0-1|0,1", "0-2,5,8-9|0-2,5,8,9", "'0-1\n'|0,1"})
  void shouldReadWhatTheKernelWritesAndWriteItShortly(String text, String shortest) {
    assertThat(CpuList.parse(text).map(CpuList::format)).contains(shortest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "(null)"})
  void shouldReadNothingAsTheEmptySet(String text) {
    assertThat(CpuList.parse(text)).contains(new BitSet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "1-", "-1", "3-1", "1,,2", "0-99999999999999999999", "8192", "0-8192", "1 2"})
  void shouldRefuseWhatIsNoList(String text) {
    assertThat(CpuList.parse(text)).isEmpty();
  }

  @Test
  void shouldReadBackEverySetThatItHasWritten() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      BitSet cpus = new BitSet();
      for (int n = random.nextInt(20); n >= 0; n--) {
        cpus.set(random.nextInt(CpuList.LIMIT));
      }

      assertThat(CpuList.parse(CpuList.format(cpus))).as("seed " + seed).contains(cpus);
    }
  }
}
