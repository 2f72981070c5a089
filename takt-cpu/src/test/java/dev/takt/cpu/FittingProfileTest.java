package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.Decision;
import dev.takt.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who does what a refusal says would fit is admitted. */
class FittingProfileTest {
  private static final long MS = 1_000_000;
  private static final long SEED = Seeds.seed();

  private int fitting;

  private static ManagedTasks tasks(CpuScheduler scheduler) {
    ManagerSettings settings =
        ManagerSettings.defaults()
            .withScheduler(scheduler)
            .withCounters(false)
            .withEvents(event -> {});
    ProcessorsApart places = new ProcessorsApart(settings);
    places.close();
    return new ManagedTasks(settings, places, () -> {});
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed priority", "portable", "deadline"})
  void shouldAdmitWhatItSaidWouldFit(String name) {
    CpuScheduler scheduler =
        switch (name) {
          case "portable" -> CpuScheduler.portable();
          case "deadline" -> CpuScheduler.deadline();
          default -> CpuScheduler.fixedPriority();
        };
    SplittableRandom random = new SplittableRandom(SEED);
    for (int set = 0; set < Seeds.size(10, 200); set++) {
      ManagedTasks tasks = tasks(scheduler);
      for (int i = 0; i < 12; i++) {
        Profile profile = profile("task" + i, random);
        boolean isServer = random.nextInt(3) == 0;
        ManagedTask asked = decide(tasks, profile, isServer);
        if (asked.state() == State.REJECTED) {
          String history = "seed %s, set %s, server %s: %s".formatted(SEED, set, isServer, asked);
          assertFits(tasks, profile, asked.decision(), isServer, history);
        }
      }
      tasks.batons().forEach(each -> assertThat(each.getState()).isEqualTo(Thread.State.NEW));
    }
    assertThat(fitting).as("seed %s", SEED).isPositive();
  }

  private static Profile profile(String name, SplittableRandom random) {
    long periodNs = random.nextLong(MS, 100 * MS);
    AuthenticationClass limited =
        new AuthenticationClass(
            "limited", 0, 100 * MS, 120 * MS, 0.6, false, OverrunPolicy.COUNT, MS);
    Profile profile = Profile.of(name, periodNs).in(limited);
    if (random.nextInt(3) == 0) {
      profile = profile.withDeadlineNs(random.nextLong(periodNs / 3, 2 * periodNs));
    }
    return random.nextInt(4) == 0
        ? profile
        : profile.withBudgetNs(random.nextLong(1, periodNs * 6 / 10));
  }

  private static ManagedTask decide(ManagedTasks tasks, Profile profile, boolean isServer) {
    return tasks.locked(
        () -> isServer ? tasks.decideServer(profile, "", true) : tasks.decide(profile, null, ""));
  }

  private void assertFits(
      ManagedTasks tasks, Profile profile, Decision refused, boolean isServer, String history) {
    refused
        .fittingCostNs()
        .ifPresent(costNs -> assertAdmits(tasks, profile.withBudgetNs(costNs), isServer, history));
    refused
        .fittingPeriodNs()
        .ifPresent(
            periodNs -> {
              long deadlineNs =
                  profile.deadlineNs() == profile.periodNs() ? periodNs : profile.deadlineNs();
              Profile longer =
                  new Profile(
                      profile.name(),
                      periodNs,
                      deadlineNs,
                      profile.budgetNs(),
                      profile.authentication());
              assertAdmits(tasks, longer, isServer, history);
            });
  }

  private void assertAdmits(ManagedTasks tasks, Profile profile, boolean isServer, String history) {
    ManagedTask task = decide(tasks, profile, isServer);
    assertThat(task.state().isAdmitted())
        .as("%s, then %s: %s", history, profile, task.decision().reason())
        .isTrue();
    tasks.ended(task);
    fitting++;
  }
}
