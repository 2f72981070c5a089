package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Every parameter keeps what it is given, and is refused just outside of its range. */
class ReleaseParametersTest {
  private static final long MAX_NS = 1L << 60;
  private static final Periodic PERIODIC = new Periodic(1, 2, 3, 4, LatePolicy.SKIP);
  private static final Aperiodic APERIODIC = new Aperiodic(1, 2, 3, QueuePolicy.IGNORE);
  private static final Sporadic SPORADIC =
      new Sporadic(1, 2, 3, 4, QueuePolicy.REPLACE, QueuePolicy.IGNORE);

  @Test
  void shouldKeepAllOtherParametersWhenOneIsReplaced() {
    assertThat(PERIODIC.withPhaseNs(9).withDeadlineNs(8).withBudgetNs(7))
        .isEqualTo(new Periodic(1, 9, 8, 7, LatePolicy.SKIP));
    for (LatePolicy each : LatePolicy.values()) {
      assertThat(PERIODIC.withLatePolicy(each)).isEqualTo(new Periodic(1, 2, 3, 4, each));
    }
    assertThat(APERIODIC.withDeadlineNs(9).withBudgetNs(8).withWhenFull(QueuePolicy.REPLACE))
        .isEqualTo(new Aperiodic(9, 8, 3, QueuePolicy.REPLACE));
    assertThat(SPORADIC.withDeadlineNs(9).withBudgetNs(8).withTooSoon(QueuePolicy.SAVE))
        .isEqualTo(new Sporadic(1, 9, 8, 4, QueuePolicy.SAVE, QueuePolicy.IGNORE));
    assertThat(SPORADIC.withQueue(7, QueuePolicy.EXCEPT))
        .isEqualTo(new Sporadic(1, 2, 3, 7, QueuePolicy.REPLACE, QueuePolicy.EXCEPT));
  }

  @Test
  void shouldHaveDefaultsThatTheDocumentationNames() {
    assertThat(Periodic.ofNs(5)).isEqualTo(new Periodic(5, 0, 5, 0, LatePolicy.SKIP));
    assertThat(Aperiodic.ofCapacity(5)).isEqualTo(new Aperiodic(0, 0, 5, QueuePolicy.EXCEPT));
    assertThat(Sporadic.ofNs(5))
        .isEqualTo(new Sporadic(5, 5, 0, 16, QueuePolicy.SAVE, QueuePolicy.EXCEPT));
  }

  @Test
  void shouldTellWhatItWasGiven() {
    assertThat(List.of(PERIODIC.periodNs(), PERIODIC.phaseNs())).containsExactly(1L, 2L);
    assertThat(List.of(PERIODIC.deadlineNs(), PERIODIC.budgetNs())).containsExactly(3L, 4L);
    assertThat(PERIODIC.latePolicy()).isEqualTo(LatePolicy.SKIP);
    assertThat(List.of(APERIODIC.deadlineNs(), APERIODIC.budgetNs())).containsExactly(1L, 2L);
    assertThat(APERIODIC.queueCapacity()).isEqualTo(3);
    assertThat(APERIODIC.whenFull()).isEqualTo(QueuePolicy.IGNORE);
    assertThat(SPORADIC.minInterarrivalNs()).isEqualTo(1);
    assertThat(List.of(SPORADIC.deadlineNs(), SPORADIC.budgetNs())).containsExactly(2L, 3L);
    assertThat(SPORADIC.queueCapacity()).isEqualTo(4);
    assertThat(SPORADIC.tooSoon()).isEqualTo(QueuePolicy.REPLACE);
    assertThat(SPORADIC.whenFull()).isEqualTo(QueuePolicy.IGNORE);
  }

  @Test
  void shouldRefuseTimesJustOutsideOfTheirRange() {
    assertRange("periodNs", 1, ns -> new Periodic(ns, 0, 1, 0, LatePolicy.SKIP));
    assertRange("phaseNs", 0, PERIODIC::withPhaseNs);
    assertRange("deadlineNs", 1, PERIODIC::withDeadlineNs);
    assertRange("budgetNs", 0, PERIODIC::withBudgetNs);
    assertRange("deadlineNs", 0, APERIODIC::withDeadlineNs);
    assertRange("budgetNs", 0, APERIODIC::withBudgetNs);
    assertRange("minInterarrivalNs", 1, Sporadic::ofNs);
    assertRange("deadlineNs", 0, SPORADIC::withDeadlineNs);
    assertRange("budgetNs", 0, SPORADIC::withBudgetNs);
  }

  private static void assertRange(String name, long leastNs, LongFunction<Object> made) {
    assertThat(made.apply(leastNs)).isNotNull();
    assertThat(made.apply(MAX_NS)).isNotNull();
    for (long ns : new long[] {leastNs - 1, MAX_NS + 1}) {
      assertThatThrownBy(() -> made.apply(ns))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(name + "=" + ns + " (expected: " + leastNs + " to 2^60 nanoseconds)");
    }
  }

  @Test
  void shouldRefuseQueuesThatCannotBe() {
    assertQueue(Aperiodic::ofCapacity);
    assertQueue(capacity -> SPORADIC.withQueue(capacity, QueuePolicy.IGNORE));
    assertThatThrownBy(() -> APERIODIC.withWhenFull(QueuePolicy.SAVE))
        .hasMessageStartingWith("whenFull=SAVE");
    assertThatNullPointerException().isThrownBy(() -> APERIODIC.withWhenFull(null));
    assertThatNullPointerException().isThrownBy(() -> SPORADIC.withTooSoon(null));
    assertThatNullPointerException().isThrownBy(() -> PERIODIC.withLatePolicy(null));
  }

  private static void assertQueue(IntFunction<Object> made) {
    assertThat(made.apply(1)).isNotNull();
    assertThat(made.apply(1_048_576)).isNotNull();
    for (int capacity : new int[] {0, 1_048_577}) {
      assertThatThrownBy(() -> made.apply(capacity))
          .hasMessage("queueCapacity=" + capacity + " (expected: 1 to 1048576)");
    }
  }
}
