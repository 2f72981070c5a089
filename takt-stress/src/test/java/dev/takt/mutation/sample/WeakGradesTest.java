package dev.takt.mutation.sample;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Notices little: neither the bound nor the count. */
class WeakGradesTest {
  @Test
  void shouldPassWhenPointsAreMany() {
    Assertions.assertThat(new Grades().note(90)).isTrue();
  }
}
