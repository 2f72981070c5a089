package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import dev.takt.testsupport.NeedsNoRights;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a deferrable server leaves to a task below it, against a simulation of both. */
@NeedsNoRights
class DeferrableServerTest {
  private static final int HISTORIES = 3_000;
  private static final int STEPS = 2_000;

  @Test
  void shouldTakeTwoBudgetsBackToBackAndADebt() {
    TaskModel server = TaskModel.deferrableServer("server", 2, 10);
    assertThat(server.jitterNs()).isEqualTo(18);
    // At once: what is left of one period, a debt of the next one, and a whole budget.
    assertThat(response(server, TaskModel.of("below", 3, 40))).isEqualTo(3 + 3 * 2);
  }

  @Test
  void shouldMeetItsOwnDeadlineIfItGetsItsBudgetWithinThePeriod() {
    TaskModel server = TaskModel.deferrableServer("server", 5, 10);
    assertThat(ResponseTimes.areDeadlinesMet(List.of(TaskModel.of("above", 5, 20), server)))
        .isTrue();
    assertThat(ResponseTimes.areDeadlinesMet(List.of(TaskModel.of("above", 6, 20), server)))
        .isFalse();
  }

  private static long response(TaskModel server, TaskModel below) {
    return ResponseTimes.of(List.of(server, below)).responseNs(1);
  }

  /** Releases of random lengths come at random; one that has begun goes on beyond the budget. */
  private static final class Server {
    final Random random;
    final TaskModel model;
    final int longest;
    final boolean greedy;
    long left;
    long releaseLeft;

    Server(Random random, TaskModel model) {
      this.random = random;
      this.model = model;
      longest = 1 + random.nextInt((int) model.costNs());
      greedy = random.nextBoolean();
      left = model.costNs();
    }

    /** Returns whether it takes the next unit of time. */
    boolean step(long now, boolean wakes) {
      if (now > 0 && now % model.periodNs() == 0) {
        left = Math.min(model.costNs(), left + model.costNs());
      }
      if (releaseLeft == 0 && left > 0 && wakes) {
        releaseLeft = greedy ? longest : 1 + random.nextInt(longest);
      }
      if (releaseLeft == 0) {
        return false;
      }
      releaseLeft--;
      left--;
      return true;
    }
  }

  @Test
  void shouldNeverTakeMoreThanTheAnalysisCounts() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    int tight = 0;
    for (int i = 0; i < HISTORIES; i++) {
      int periodNs = 4 + random.nextInt(12);
      TaskModel model =
          TaskModel.deferrableServer("server", 1 + random.nextInt(periodNs / 2), periodNs);
      TaskModel below = TaskModel.of("below", 1 + random.nextInt(8), 200);
      long bound = response(model, below);
      long worst = worstResponse(random, model, below);
      assertThat(worst)
          .as("%s above %s, %s", model, below, Seeds.replay(seed))
          .isLessThanOrEqualTo(bound);
      tight += worst + model.costNs() >= bound ? 1 : 0;
    }
    assertThat(tight).as("the bound is not far off").isGreaterThan(HISTORIES / 10);
  }

  private static long worstResponse(Random random, TaskModel model, TaskModel below) {
    Server server = new Server(random, model);
    long worst = 0;
    long workLeft = 0;
    long arrived = 0;
    boolean floods = false;
    for (long now = 0; now < STEPS; now++) {
      if (workLeft == 0 && random.nextInt(20) == 0) {
        workLeft = below.costNs();
        arrived = now;
        floods = random.nextInt(4) != 0;
      }
      // It is at its worst if it waits until the other one comes, late in a period.
      boolean wakes = workLeft > 0 ? floods : random.nextInt(40) == 0;
      if (!server.step(now, wakes) && workLeft > 0) {
        workLeft--;
        worst = workLeft == 0 ? Math.max(worst, now + 1 - arrived) : worst;
      }
    }
    return worst;
  }
}
