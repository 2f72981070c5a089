package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.takt.realtime.LeadBounds;
import org.junit.jupiter.api.Test;

class SpinShareTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldLetAllTasksOfAProcessorTogetherSpinForAPartOfItOnly() {
    double sum = 0;
    for (int periodMs = 1; periodMs <= 100; periodMs++) {
      long periodNs = periodMs * MS;
      Profile profile = Profile.of("task-" + periodMs, periodNs).withBudgetNs(7 * periodNs / 1_000);
      sum += RunnableTask.leadBounds(profile).maxSpinShare();
    }

    assertThat(sum).isCloseTo(0.7 * LeadBounds.DEFAULT_MAX_SPIN_SHARE, within(1e-9));
  }

  @Test
  void shouldLetATaskThatHasAllOfAProcessorSpinAsMuchAsOneByItself() {
    Profile all = Profile.of("all", MS).withBudgetNs(MS);
    Profile more = all.withBudgetNs(2 * MS);

    assertThat(RunnableTask.leadBounds(all)).isEqualTo(LeadBounds.DEFAULTS);
    assertThat(RunnableTask.leadBounds(more)).isEqualTo(LeadBounds.DEFAULTS);
  }
}
