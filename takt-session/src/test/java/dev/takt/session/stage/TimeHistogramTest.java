package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeHistogramTest {
  @Test
  void shouldTellPercentilesAtMostASixteenthTooHighAndNeverTooLow() {
    for (int run = 0; run < Seeds.size(500, 50_000); run++) {
      long seed = Seeds.seed() + run;
      Random random = new Random(seed);
      TimeHistogram histogram = new TimeHistogram();
      TimeHistogram part = new TimeHistogram();
      long[] times = new long[1 + random.nextInt(200)];
      int bits = 1 + random.nextInt(47);
      for (int i = 0; i < times.length; i++) {
        times[i] = random.nextLong() >>> 64 - bits;
        (random.nextBoolean() ? histogram : part).add(times[i]);
      }
      histogram.addAll(part);
      Arrays.sort(times);
      for (int percent : new int[] {1, 50, 90, 99, 100}) {
        long exact = times[(times.length * percent + 99) / 100 - 1];
        assertThat(histogram.percentileNs(percent))
            .as("%d %% of %s, %s", percent, Arrays.toString(times), Seeds.replay(seed))
            .isBetween(exact, exact + exact / 16);
      }
      assertThat(histogram.maxNs()).isEqualTo(times[times.length - 1]);
      assertThat(histogram.count()).isEqualTo(times.length);
    }
  }

  @Test
  void shouldClampWhatIsNoTimeOrTooLong() {
    TimeHistogram histogram = new TimeHistogram();
    assertThat(histogram.percentileNs(90)).isZero();
    histogram.add(-5);
    assertThat(histogram.percentileNs(100)).isZero();
    histogram.add(Long.MAX_VALUE);
    assertThat(histogram.percentileNs(100)).isEqualTo((1L << 48) - 1);
    histogram.clear();
    assertThat(histogram.maxNs()).isZero();
    assertThat(histogram.count()).isZero();
  }
}
