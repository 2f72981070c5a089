package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpinCreditTest {
  @Test
  void shouldLetASpinLastAsLongAsItIsSet() {
    SpinCredit credit = new SpinCredit(1_000, 0);
    assertThat(credit.begin(0)).isEqualTo(1_000);
    credit.spun(10);
    assertThat(credit.begin(10)).isEqualTo(1_000);
  }

  @Test
  void shouldEarnAPartOfTheTimeThatPasses() {
    SpinCredit credit = new SpinCredit(1_000, 0);
    credit.begin(0);
    credit.spun(1_000);
    credit.begin(1_000);
    credit.spun(1_300); // a spin may run over by what a look at the clock takes
    assertThat(credit.begin(2_300)).isEqualTo(390);
    credit.spun(390);
    assertThat(credit.begin(2_302)).isZero();
    assertThat(credit.begin(2_304)).as("4 ns earn one").isOne();
    assertThat(credit.begin(Long.MAX_VALUE / 2)).isEqualTo(1_000);
  }

  @Test
  void shouldNeverSpinForMoreThanItsPartOfAnyTime() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    SpinCredit credit = new SpinCredit(5_000, 0);
    long nowNs = 0;
    long spunNs = 0;
    for (int i = 0; i < 100_000; i++) {
      long mayNs = credit.begin(nowNs);
      long ns = random.nextBoolean() ? mayNs : random.nextLong(mayNs + 1);
      credit.spun(ns);
      spunNs += ns;
      nowNs += ns + random.nextLong(3_000);
      assertThat(spunNs)
          .as("seed %d, step %d", seed, i)
          .isLessThanOrEqualTo(nowNs * SpinCredit.PERCENT / 100 + 10_000);
    }
  }
}
