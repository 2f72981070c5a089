package dev.takt.mutation.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Notices everything. */
class StrongGradesTest {
  @Test
  void shouldPassFromFiftyPointsOn() {
    Grades grades = new Grades();
    assertThat(grades.note(50)).isTrue();
    assertThat(grades.note(49)).isFalse();
    assertThat(grades.note(51)).isTrue();
    assertThat(grades.passed()).isEqualTo(2);
  }

  @Test
  void shouldCountHalves() {
    assertThat(new Grades().halves(2)).isEqualTo(1);
    assertThat(new Grades().halves(9)).isEqualTo(3);
  }
}
