package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How long a wait looks before it suspends is what would have been best. */
class LearnedPatienceTest {
  private static final long MAX_NS = 20_000;
  private static final long[] FIXED = {0, 500, 1_000, 2_000, 4_000, 8_000, 16_000};

  /** What a wait of a duration costs beyond itself; tells the learner. */
  private static long wait(LearnedPatience patience, long durationNs, long costNs) {
    long looksNs = patience.patienceNs();
    if (durationNs <= looksNs) {
      patience.foundLooking(durationNs);
      return durationNs;
    }
    patience.suspended(durationNs, costNs);
    return looksNs + costNs;
  }

  private static long fixed(long looksNs, long durationNs, long costNs) {
    return durationNs <= looksNs ? durationNs : looksNs + costNs;
  }

  @Test
  void shouldNotLookBeforeItHasLearnedThatItPays() {
    assertThat(new LearnedPatience(MAX_NS).patienceNs()).isZero();
  }

  @Test
  void shouldLookForShortWaitsThatAreDearToSuspendAndNoLongerThanNeeded() {
    LearnedPatience patience = new LearnedPatience(MAX_NS);
    for (int i = 0; i < 100; i++) {
      wait(patience, 700, 5_000);
    }
    assertThat(patience.patienceNs()).isEqualTo(1_000);
  }

  @Test
  void shouldNotLookForWaitsThatAreLongOrCheapToSuspend() {
    LearnedPatience patience = new LearnedPatience(MAX_NS);
    for (int i = 0; i < 1_000; i++) {
      wait(patience, 1_000_000, 5_000);
    }
    assertThat(patience.patienceNs()).isZero();
    patience = new LearnedPatience(MAX_NS);
    for (int i = 0; i < 1_000; i++) {
      wait(patience, 700, 100);
    }
    assertThat(patience.patienceNs()).isZero();
  }

  @Test
  void shouldFollowWaitsThatBecomeLongAndShortAgain() {
    LearnedPatience patience = new LearnedPatience(MAX_NS);
    for (int change = 0; change < 10; change++) {
      for (int i = 0; i < 300; i++) {
        wait(patience, 700, 5_000);
      }
      assertThat(patience.patienceNs()).isEqualTo(1_000);
      for (int i = 0; i < 300; i++) {
        wait(patience, 1_000_000, 5_000);
      }
      assertThat(patience.patienceNs()).isZero();
    }
  }

  @Test
  void shouldSeldomLookWhereLookingItselfDelaysWhatIsWaitedFor() {
    LearnedPatience patience = new LearnedPatience(MAX_NS);
    int looked = 0;
    int waits = 10_000;
    for (int i = 0; i < waits; i++) {
      long looksNs = patience.patienceNs();
      looked += looksNs > 0 ? 1 : 0;
      // as on the only carrier: the other session runs when this one has left
      patience.suspended(looksNs + 700, 5_000);
    }
    assertThat(looked).isLessThan(waits / 5);
  }

  @Test
  void shouldCostLittleMoreThanTheBestFixedTimeWhateverTheWaitsAreLike() {
    Random random = new Random(Seeds.seed());
    for (int run = 0; run < Seeds.size(200, 20_000); run++) {
      long costNs = 200 + random.nextInt(20_000);
      long shortNs = 1 + random.nextInt(10_000);
      double shorts = random.nextDouble();
      LearnedPatience patience = new LearnedPatience(MAX_NS);
      long learned = 0;
      long[] fixed = new long[FIXED.length];
      for (int i = 0; i < 5_000; i++) {
        boolean isShort = random.nextDouble() < shorts;
        long durationNs = isShort ? random.nextLong(shortNs) : 100_000 + random.nextInt(100_000);
        learned += wait(patience, durationNs, costNs);
        for (int k = 0; k < FIXED.length; k++) {
          fixed[k] += fixed(FIXED[k], durationNs, costNs);
        }
        assertThat(patience.patienceNs()).isBetween(0L, MAX_NS);
      }
      long best = Long.MAX_VALUE;
      for (long each : fixed) {
        best = Math.min(best, each);
      }
      assertThat(learned)
          .as("cost=%d short=%d share=%.2f best=%d", costNs, shortNs, shorts, best)
          .isLessThan(best * 17 / 10 + 50 * costNs)
          .isLessThan(fixed[0] * 105 / 100 + 50 * costNs);
    }
  }

  @Test
  void shouldNeverLookLongerThanItIsAllowed() {
    for (long maxNs : new long[] {0, 499, 500, 3_999}) {
      LearnedPatience patience = new LearnedPatience(maxNs);
      for (int i = 0; i < 100; i++) {
        wait(patience, 2_500, 90_000);
        assertThat(patience.patienceNs()).isLessThanOrEqualTo(maxNs);
      }
    }
  }
}
