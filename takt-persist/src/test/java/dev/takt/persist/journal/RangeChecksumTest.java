package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The checksum of a range is that of its bytes. */
class RangeChecksumTest {
  @Test
  void shouldBeTheChecksumOfTheSeedAndTheBytesOfTheRange() {
    Random random = new Random(Seeds.seed());
    for (int length : new int[] {0, 1, 255, 256, 257, 100_000}) {
      byte[] all = new byte[length];
      byte[] seed = new byte[8];
      random.nextBytes(all);
      random.nextBytes(seed);
      RangeChecksum ranges = new RangeChecksum(all, seed);
      for (int i = Seeds.size(200, 20_000); i > 0; i--) {
        int from = random.nextInt(length + 1);
        int to = from + random.nextInt(length - from + 1);
        CRC32C expected = new CRC32C();
        expected.update(seed);
        expected.update(all, from, to - from);
        assertThat(ranges.of(from, to))
            .as("%d to %d of %d, %s", from, to, length, Seeds.replay(Seeds.seed()))
            .isEqualTo((int) expected.getValue());
      }
    }
  }
}
