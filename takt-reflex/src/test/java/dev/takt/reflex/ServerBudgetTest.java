package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.PassiveServer;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The budget of a deferrable server, by a time that the test makes. */
class ServerBudgetTest {
  private static final long US = 1_000;
  private static final long MS = 1_000 * US;

  /** What has run, from when to when. */
  private record Run(long fromNs, long toNs) {}

  private final PassiveServer server = new PassiveServer(2 * MS, 10 * MS);
  private final ServerBudget budget = new ServerBudget(server, 0);

  @Test
  void shouldBeUsedUpWhenTheBudgetIsAndFullAgainAtTheNextPeriod() {
    budget.charge(2 * MS - 1, 3 * MS);
    assertThat(budget.isUsedUp()).isFalse();
    budget.charge(1, 3 * MS);
    assertThat(budget.isUsedUp()).isTrue();
    assertThat(budget.replenishedAtNs()).isEqualTo(10 * MS);
    assertThat(budget.lookAtNs(3 * MS)).as("no release may begin").isEqualTo(3 * MS);
    budget.charge(0, 10 * MS);
    assertThat(budget.isUsedUp()).isFalse();
    assertThat(budget.lookAtNs(10 * MS)).isEqualTo(12 * MS);
  }

  @Test
  void shouldKeepItsBudgetUntilTheEndOfThePeriodAndLoseItThere() {
    budget.charge(0, 9 * MS);
    assertThat(budget.lookAtNs(9 * MS)).as("the next period").isEqualTo(10 * MS);
    budget.charge(1 * MS, 10 * MS);
    assertThat(budget.lookAtNs(10 * MS)).as("a full budget, not three").isEqualTo(12 * MS);
  }

  @Test
  void shouldPayADebtFromTheNextBudgets() {
    budget.charge(7 * MS, 7 * MS); // 5 too many: two budgets do not pay for it, three do
    assertThat(budget.replenishedAtNs()).isEqualTo(30 * MS);
    budget.charge(0, 20 * MS);
    assertThat(budget.isUsedUp()).isTrue();
    assertThat(budget.replenishedAtNs()).isEqualTo(30 * MS);
    budget.charge(0, 30 * MS);
    assertThat(budget.lookAtNs(30 * MS)).isEqualTo(31 * MS);
  }

  @Test
  void shouldPayADebtOfWholeBudgetsExactly() {
    budget.charge(4 * MS, 4 * MS);
    assertThat(budget.replenishedAtNs()).isEqualTo(20 * MS);
    budget.charge(0, 10 * MS);
    assertThat(budget.isUsedUp()).isTrue();
    budget.charge(0, 20 * MS);
    assertThat(budget.isUsedUp()).isFalse();
  }

  @Test
  void shouldChargeToThePeriodWhatCanHaveBeenUsedInIt() {
    budget.charge(1 * MS, 9 * MS);
    budget.charge(3 * MS / 2, 10 * MS + MS / 2); // a debt of nothing, and 0.5 ms of the new budget
    assertThat(budget.lookAtNs(10 * MS)).isEqualTo(11 * MS + MS / 2);
  }

  @Test
  void shouldNotOverflowWhenNothingHappensForAHundredYears() {
    long laterNs = 100 * 365 * 24 * 3_600_000 * MS;
    budget.charge(0, laterNs);
    assertThat(budget.isUsedUp()).isFalse();
    assertThat(budget.lookAtNs(laterNs) - laterNs).isBetween(1L, 10 * MS);
  }

  /** A server, its worker and what preempts it. */
  private final class History {
    final Random random;
    final PassiveServer server;
    final long maxReleaseNs;
    final boolean preempted;
    final ServerBudget budget;
    final List<Run> runs = new ArrayList<>();
    long nowNs;
    long lookAtNs;
    long unchargedNs;

    /** By a model that knows at each moment what was used: no more than one budget is saved. */
    long modelLeftNs;

    long modelAtNs;

    History(Random random, boolean preempted) {
      this.random = random;
      this.preempted = preempted;
      long periodNs = (1 + random.nextInt(20)) * MS;
      server = new PassiveServer(periodNs / (1 + random.nextInt(10)), periodNs);
      maxReleaseNs = 1 + random.nextInt((int) (server.budgetNs()));
      budget = new ServerBudget(server, 0);
      lookAtNs = budget.lookAtNs(0);
      modelLeftNs = server.budgetNs();
    }

    void modelUntil(long untilNs, long speed) {
      while (modelAtNs < untilNs) {
        long boundaryNs = (modelAtNs / server.periodNs() + 1) * server.periodNs();
        long toNs = Math.min(untilNs, boundaryNs);
        modelLeftNs -= speed * (toNs - modelAtNs);
        modelAtNs = toNs;
        if (toNs == boundaryNs) {
          modelLeftNs = Math.min(server.budgetNs(), modelLeftNs + server.budgetNs());
        }
      }
    }

    private void pass(long durationNs) {
      nowNs += durationNs;
      modelUntil(nowNs, 0);
    }

    private void use(long durationNs) {
      runs.add(new Run(nowNs, nowNs + durationNs));
      nowNs += durationNs;
      unchargedNs += durationNs;
      modelUntil(nowNs, 1);
    }

    void release() {
      long leftNs = 1 + random.nextLong(maxReleaseNs);
      while (leftNs > 0) {
        long partNs = preempted ? Math.min(leftNs, 1 + random.nextLong(maxReleaseNs)) : leftNs;
        use(partNs);
        leftNs -= partNs;
        if (preempted && random.nextInt(4) == 0) {
          pass(random.nextLong(2 * server.periodNs()));
        }
      }
    }

    private void charge() {
      budget.charge(unchargedNs, nowNs);
      unchargedNs = 0;
      lookAtNs = budget.lookAtNs(nowNs);
    }

    /** As the worker does it. */
    void step() {
      if (random.nextInt(8) == 0) {
        charge();
        pass(random.nextLong(2 * server.periodNs())); // nothing to do
      }
      if (nowNs >= lookAtNs) {
        charge();
        if (budget.isUsedUp()) {
          if (!preempted) {
            assertThat(modelLeftNs).as("used up at %s", nowNs).isNotPositive();
          }
          long untilNs = budget.replenishedAtNs();
          assertThat(untilNs).isGreaterThan(nowNs);
          pass(untilNs - nowNs);
          charge();
          assertThat(budget.isUsedUp()).as("replenished at %s", nowNs).isFalse();
        }
      }
      release();
    }

    void assertBound() {
      for (int i = 0; i < runs.size(); i++) {
        long usedNs = 0;
        for (int j = i; j < runs.size(); j++) {
          usedNs += runs.get(j).toNs() - runs.get(j).fromNs();
          long windowNs = runs.get(j).toNs() - runs.get(i).fromNs();
          long budgets =
              Math.ceilDiv(windowNs + server.periodNs() - server.budgetNs(), server.periodNs());
          assertThat(usedNs)
              .as("%s, releases up to %s, in %s", server, maxReleaseNs, windowNs)
              .isLessThanOrEqualTo(
                  budgets * server.budgetNs() + maxReleaseNs + ServerBudget.LOOK_NS);
        }
      }
    }
  }

  private void check(boolean preempted) {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      History history = new History(random, preempted);
      for (int step = 0; step < 100; step++) {
        history.step();
      }
      history.assertBound();
    }
  }

  @Test
  void shouldGiveNoMoreThanADeferrableServerDoesAndNoLessWhenNothingPreemptsIt() {
    check(false);
  }

  @Test
  void shouldGiveNoMoreThanADeferrableServerDoesWhenItIsPreempted() {
    check(true);
  }
}
