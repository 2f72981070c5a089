package dev.takt.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrimitivesTest {
  private static final int PLACE = 3;

  private final byte[] bytes = new byte[PLACE + 10];

  /** As the drawing of the format says it, a byte at a time. */
  private static byte[] model(long value) {
    byte[] all = new byte[10];
    int at = 0;
    for (long rest = value; ; rest >>>= 7) {
      boolean isLast = (rest & ~0x7fL) == 0;
      all[at++] = (byte) (isLast ? rest : rest | 0x80);
      if (isLast) {
        return Arrays.copyOf(all, at);
      }
    }
  }

  @Test
  void shouldPutLongsOfAllWidthsAsTheFormatSaysAndTakeThemBack() {
    Random random = new Random(Seeds.seed());
    for (int bits = 0; bits <= Long.SIZE; bits++) {
      long ones = bits == Long.SIZE ? -1 : (1L << bits) - 1;
      shouldComeBack(ones);
      shouldComeBack(ones + 1);
      for (int i = Seeds.size(1_000, 1_000_000); i > 0; i--) {
        shouldComeBack(random.nextLong() & ones);
      }
    }
  }

  private void shouldComeBack(long value) {
    byte[] expected = model(value);
    Arrays.fill(bytes, (byte) -1);
    int end = Primitives.varlong(bytes, PLACE, value);
    assertThat(end).isEqualTo(PLACE + expected.length);
    assertThat(Arrays.copyOfRange(bytes, PLACE, end)).isEqualTo(expected);
    assertThat(bytes[PLACE - 1]).isEqualTo((byte) -1);
    int length = Primitives.length(bytes, PLACE);
    assertThat(length).isEqualTo(expected.length <= Long.BYTES ? expected.length : 0);
    if (length > 0) {
      assertThat(Primitives.varlong(bytes, PLACE, length)).isEqualTo(value);
    }
    boolean isInt = value == (value & Integer.MAX_VALUE);
    assertThat(Primitives.reference(bytes, PLACE))
        .isEqualTo(isInt ? value << Primitives.REFERENCE_SHIFT | length : 0);
    byte[] exact = new byte[expected.length];
    assertThat(Primitives.varlong(exact, 0, value)).isEqualTo(expected.length);
    assertThat(exact).isEqualTo(expected);
  }

  @Test
  void shouldGiveNegativeNumbersAndZeroBackFromZigzag() {
    for (long value : new long[] {0, -1, 1, -64, 63, 64, -65, Integer.MIN_VALUE, 1L << 54}) {
      int end = Primitives.zigzag(bytes, PLACE, value);
      assertThat(Primitives.zigzag(bytes, PLACE, end - PLACE)).isEqualTo(value);
    }
    for (long value : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 1L << 55}) {
      Primitives.zigzag(bytes, PLACE, value);
      assertThat(Primitives.length(bytes, PLACE)).isZero();
    }
  }
}
