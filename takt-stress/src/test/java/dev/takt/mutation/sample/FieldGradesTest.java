package dev.takt.mutation.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Reaches what it looks at before its method begins. */
class FieldGradesTest {
  private final int halves = new Grades().halves(9);

  @Test
  void shouldCountHalves() {
    assertThat(halves).isEqualTo(3);
  }
}
