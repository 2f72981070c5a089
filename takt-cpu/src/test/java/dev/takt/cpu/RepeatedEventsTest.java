package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagerEvent.Kind;
import org.junit.jupiter.api.Test;

class RepeatedEventsTest {
  private final RepeatedEvents events = new RepeatedEvents();

  private int count(String task, Kind kind) {
    return events.count(new ManagerEvent(0, task, kind, ""));
  }

  @Test
  void shouldCountEachTaskAndKindByItself() {
    assertThat(count("a", Kind.FAILED)).isEqualTo(1);
    assertThat(count("a", Kind.FAILED)).isZero();
    assertThat(count("b", Kind.FAILED)).isEqualTo(1);
    assertThat(count("a", Kind.OVERRUN)).isEqualTo(1);
    assertThat(count("a", Kind.DEMOTED)).as("it comes once").isEqualTo(1);
    assertThat(count("a", Kind.DEMOTED)).isEqualTo(1);
  }

  @Test
  void shouldCountTheTasksTogetherThatAreTooMany() {
    int shown = 0;
    for (int i = 0; i < RepeatedEvents.MAX_COUNTED + 10_000; i++) {
      shown += count("task" + i, Kind.FAILED) > 0 ? 1 : 0;
    }
    assertThat(shown).as("the rest: 1, 10, ... 10,000").isEqualTo(RepeatedEvents.MAX_COUNTED + 5);
  }
}
