package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** A schedule keeps what it is given, and refuses what is just outside of its range. */
class ScheduleTest {
  private static final long MAX_NS = 1L << 60;
  private static final Schedule SCHEDULE = new Schedule(1, 2, 3, 4, 5);

  @Test
  void shouldKeepAllOtherValuesWhenOneIsReplaced() {
    assertThat(SCHEDULE.periodNs()).isEqualTo(1);
    assertThat(SCHEDULE.phaseNs()).isEqualTo(3);
    assertThat(SCHEDULE.deadlineNs()).isEqualTo(4);
    assertThat(SCHEDULE.budgetNs()).isEqualTo(5);
    assertThat(SCHEDULE.priority(9)).isEqualTo(new Schedule(1, 9, 3, 4, 5));
    assertThat(SCHEDULE.phaseNs(9)).isEqualTo(new Schedule(1, 2, 9, 4, 5));
    assertThat(SCHEDULE.deadlineNs(9)).isEqualTo(new Schedule(1, 2, 3, 9, 5));
    assertThat(SCHEDULE.budgetNs(9)).isEqualTo(new Schedule(1, 2, 3, 4, 9));
  }

  @Test
  void shouldHaveDefaultsThatTheDocumentationNames() {
    assertThat(Schedule.periodic(7)).isEqualTo(new Schedule(7, 10, 0, 0, 0));
    assertThat(Schedule.continuous()).isEqualTo(new Schedule(0, 10, 0, 0, 0));
    assertThatThrownBy(() -> Schedule.periodic(0)).hasMessageStartingWith("periodNs=0 (expected");
  }

  @Test
  void shouldTakePeriodForDeadlineUnlessOneIsGiven() {
    assertThat(Schedule.periodic(7).effectiveDeadlineNs()).isEqualTo(7);
    assertThat(Schedule.periodic(7).deadlineNs(1).effectiveDeadlineNs()).isEqualTo(1);
    assertThat(Schedule.continuous().effectiveDeadlineNs()).isZero();
  }

  @Test
  void shouldRefuseValuesJustOutsideOfTheirRange() {
    assertRange("periodNs", ns -> new Schedule(ns, 1, 0, 0, 0));
    assertRange("phaseNs", SCHEDULE::phaseNs);
    assertRange("deadlineNs", SCHEDULE::deadlineNs);
    assertRange("budgetNs", SCHEDULE::budgetNs);
    int least = ReflexRuntime.MIN_PRIORITY;
    int most = ReflexRuntime.MAX_PRIORITY;
    assertThat(SCHEDULE.priority(least).priority()).isEqualTo(least);
    assertThat(SCHEDULE.priority(most).priority()).isEqualTo(most);
    for (int priority : new int[] {least - 1, most + 1}) {
      assertThatThrownBy(() -> SCHEDULE.priority(priority))
          .hasMessage("priority=" + priority + " (expected: " + least + " to " + most + ")");
    }
  }

  private static void assertRange(String name, LongFunction<Object> made) {
    assertThat(made.apply(0)).isNotNull();
    assertThat(made.apply(MAX_NS)).isNotNull();
    for (long ns : new long[] {-1, MAX_NS + 1}) {
      assertThatThrownBy(() -> made.apply(ns))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(name + "=" + ns + " (expected: 0 to 2^60 nanoseconds)");
    }
  }
}
