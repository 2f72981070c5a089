package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Continuous;
import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseParameters;
import org.junit.jupiter.api.Test;

/** A schedule keeps what it is given, and refuses what is just outside of its range. */
class ScheduleTest {
  private static final Schedule SCHEDULE =
      new Schedule(Periodic.ofNs(1).withPhaseNs(3), 2, LeadBounds.DEFAULTS);

  @Test
  void shouldKeepAllOtherValuesWhenOneIsReplaced() {
    Periodic release = Periodic.ofNs(1).withPhaseNs(3);
    LeadBounds lead = LeadBounds.DEFAULTS;
    assertThat(SCHEDULE.priority(9)).isEqualTo(new Schedule(release, 9, lead));
    assertThat(SCHEDULE.lead(LeadBounds.NO_SPIN))
        .isEqualTo(new Schedule(release, 2, LeadBounds.NO_SPIN));
    assertThat(SCHEDULE.deadlineNs(9)).isEqualTo(new Schedule(release.withDeadlineNs(9), 2, lead));
    assertThat(SCHEDULE.budgetNs(9)).isEqualTo(new Schedule(release.withBudgetNs(9), 2, lead));
  }

  @Test
  void shouldHaveDefaultsThatTheDocumentationNames() {
    assertThat(Schedule.periodic(7)).isEqualTo(Schedule.of(Periodic.ofNs(7)));
    assertThat(Schedule.periodic(7).priority()).isEqualTo(10);
    assertThat(Schedule.periodic(7).release().deadlineNs()).isEqualTo(7);
    assertThat(Schedule.continuous()).isEqualTo(Schedule.of(new Continuous(0, 0, 0)));
    assertThat(Schedule.onMatch().release().deadlineNs()).isZero();
    assertThat(Schedule.onMatch().release().budgetNs()).isZero();
    assertThatThrownBy(() -> Schedule.periodic(0)).hasMessageStartingWith("periodNs=0 (expected");
  }

  @Test
  void shouldSetDeadlineAndBudgetOfEachKindOfRelease() {
    for (ReleaseParameters release :
        new ReleaseParameters[] {Periodic.ofNs(3), Aperiodic.ofCapacity(1), Continuous.UNLIMITED}) {
      Schedule schedule = Schedule.of(release).deadlineNs(5).budgetNs(4);
      assertThat(schedule.release()).hasSameClassAs(release);
      assertThat(schedule.release().deadlineNs()).isEqualTo(5);
      assertThat(schedule.release().budgetNs()).isEqualTo(4);
    }
  }

  @Test
  void shouldRefusePrioritiesJustOutsideOfTheirRange() {
    int least = ReflexRuntime.MIN_PRIORITY;
    int most = ReflexRuntime.MAX_PRIORITY;
    assertThat(SCHEDULE.priority(least).priority()).isEqualTo(least);
    assertThat(SCHEDULE.priority(most).priority()).isEqualTo(most);
    for (int priority : new int[] {least - 1, most + 1}) {
      assertThatThrownBy(() -> SCHEDULE.priority(priority))
          .hasMessage("priority=" + priority + " (expected: " + least + " to " + most + ")");
    }
  }
}
