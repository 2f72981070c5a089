package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a thread has to rest: 3 of each 10 are its own. */
class BudgetPeriodsTest {
  private static final long START = 1_000;

  private final BudgetPeriods periods = new BudgetPeriods(3, 10, START, 50);

  @Test
  void shouldLetTheThreadRestUntilTheNextPeriodWhenItsBudgetIsUsedUp() {
    assertThat(periods.restNs(START + 2, 52)).isZero();
    assertThat(periods.restNs(START + 4, 53)).isEqualTo(6);
    assertThat(periods.restNs(START + 10, 53)).isZero();
    assertThat(periods.restNs(START + 14, 56)).isEqualTo(6);
  }

  @Test
  void shouldTakeFromTheNextPeriodWhatWasUsedTooMuch() {
    assertThat(periods.restNs(START + 5, 55)).isEqualTo(5);
    assertThat(periods.restNs(START + 10, 55)).isZero();
    assertThat(periods.restNs(START + 11, 56)).as("2 of 3 were used before").isEqualTo(9);
  }

  @Test
  void shouldLetAThreadPayAsManyPeriodsAsItHasUsed() {
    assertThat(periods.restNs(START + 9, 59)).isEqualTo(21);
    assertThat(periods.restNs(START + 30, 59)).isZero();
  }

  @Test
  void shouldNotKeepWhatWasNotUsed() {
    assertThat(periods.restNs(START + 95, 50)).isZero();
    assertThat(periods.restNs(START + 96, 53)).isEqualTo(4);
  }

  /** A thread that obeys takes no more than its budgets, and what it takes between two looks. */
  @Test
  void shouldNeverLetAThreadHaveMoreThanItsBudgets() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    long nowNs = START;
    long usedNs = 50;
    long longest = 0;
    for (int i = 0; i < 10_000; i++) {
      long busy = random.nextInt(20);
      nowNs += busy + random.nextInt(5);
      usedNs += busy;
      longest = Math.max(longest, busy);
      long budgets = ((nowNs - START) / 10 + 1) * 3;
      assertThat(usedNs - 50)
          .as("seed=%s, look %s", seed, i)
          .isLessThanOrEqualTo(budgets + longest);
      nowNs += periods.restNs(nowNs, usedNs);
    }
  }
}
