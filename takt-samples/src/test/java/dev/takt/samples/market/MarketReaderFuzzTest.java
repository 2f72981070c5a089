package dev.takt.samples.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever bytes come in, a reader ends: with all that is there or with the one documented
 * exception.
 */
class MarketReaderFuzzTest {
  private static final int ROUNDS = 4_000;

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);

  @Test
  void shouldThrowNothingElseWhenBinanceDataIsCorrupted() {
    fuzz(Inputs.bytes(Inputs.BINANCE));
  }

  @Test
  void shouldThrowNothingElseWhenBitstampDataIsCorrupted() {
    fuzz(Inputs.bytes(Inputs.BITSTAMP));
  }

  @Test
  void shouldThrowNothingElseWhenItchDataIsCorrupted() {
    fuzz(Inputs.itch(true));
    fuzz(Inputs.itch(false));
  }

  @Test
  void shouldThrowNothingElseWhenGzipDataIsCorrupted() {
    fuzz(Inputs.gzip(Inputs.bytes(Inputs.BINANCE)));
  }

  @Test
  void shouldThrowNothingElseWhenBytesAreRandom() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      check(bytes, round);
    }
  }

  private void fuzz(byte[] valid) {
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      refused += check(corrupted(valid), round) ? 0 : 1;
    }
    assertThat(refused).as("refused inputs, seed=%d", seed).isGreaterThan(ROUNDS / 100);
  }

  private byte[] corrupted(byte[] valid) {
    byte[] bytes = valid.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      if (bytes.length == 0) {
        break;
      }
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 -> bytes[at] = (byte) "{}[]\",:\\0123456789.-eE \n".charAt(random.nextInt(24));
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8));
          System.arraycopy(bytes, at, longer, at + longer.length - bytes.length, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  /** Whether the bytes were accepted. */
  private boolean check(byte[] bytes, int round) {
    try {
      Inputs.read(bytes, new RecordingSink());
      return true;
    } catch (MarketDataException e) {
      assertThat(e.getMessage())
          .as("seed=%d round=%d", seed, round)
          .matches("input: (line|byte) \\d+: .+");
      return false;
    } catch (Throwable e) {
      return fail("seed=" + seed + " round=" + round + " bytes=" + Arrays.toString(bytes), e);
    }
  }
}
