package dev.takt.cli.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two sequences are paired by as much as they have in common. */
class PairingTest {
  private final Random random = new Random(Seeds.seed());

  private static int[] pairs(long[] first, long[] second) {
    int[] pairs = Pairing.of(new long[][] {first}, new long[][] {second});
    int last = -1;
    for (int i = 0; i < pairs.length; i++) {
      if (pairs[i] >= 0) {
        assertThat(pairs[i]).isGreaterThan(last).isLessThan(second.length);
        assertThat(second[pairs[i]]).isEqualTo(first[i]);
        last = pairs[i];
      }
    }
    return pairs;
  }

  private static long count(int[] pairs) {
    return Arrays.stream(pairs).filter(each -> each >= 0).count();
  }

  /** By the table of all beginnings, which takes the product of both lengths. */
  private static int longest(long[] first, long[] second) {
    int[][] table = new int[first.length + 1][second.length + 1];
    for (int i = 0; i < first.length; i++) {
      for (int j = 0; j < second.length; j++) {
        table[i + 1][j + 1] =
            first[i] == second[j] ? table[i][j] + 1 : Math.max(table[i][j + 1], table[i + 1][j]);
      }
    }
    return table[first.length][second.length];
  }

  private long[] values(int length, int kinds) {
    return random.longs(length, 0, kinds).toArray();
  }

  @Test
  void shouldPairALongestCommonSubsequence() {
    for (int i = Seeds.size(500, 50_000); i > 0; i--) {
      int kinds = 1 + random.nextInt(6);
      long[] first = values(random.nextInt(30), kinds);
      long[] second = values(random.nextInt(30), kinds);
      assertThat(count(pairs(first, second)))
          .as(() -> Seeds.replay(Seeds.seed()))
          .isEqualTo(longest(first, second));
    }
  }

  @Test
  void shouldPairWhatIsLessLikeOnlyBetweenWhatIsMore() {
    long[][] first = {{1, 2, 3, 4}, {7, 7, 7, 7}};
    long[][] second = {{1, 9, 3, 8, 4}, {7, 7, 7, 7, 7}};
    assertThat(Pairing.of(first, second)).containsExactly(0, 1, 2, 4);
  }

  @Test
  void shouldPairTheEndsAloneWhereThereAreTooManyEdits() {
    int length = 50_000;
    long[] first = IntStream.range(0, length).asLongStream().toArray();
    long[] second = IntStream.range(0, length).mapToLong(n -> -1 - n).toArray();
    second[0] = first[0];
    second[length - 1] = first[length - 1];
    int[] pairs = pairs(first, second);
    assertThat(count(pairs)).isEqualTo(2);
    assertThat(pairs[length - 1]).isEqualTo(length - 1);
  }
}
