package dev.takt.cpu.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.takt.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExtensumTest {
  private static final double TOLERANCE = 1e-9;

  private final Extensum extensum = new Extensum(1, 2);

  private double after(int windows, double seen) {
    for (int i = 0; i < windows; i++) {
      extensum.next(seen);
    }
    return extensum.value();
  }

  @Test
  void shouldStayAtTheLeastWhileNothingIsSeen() {
    assertThat(after(100, 1)).isEqualTo(1);
    assertThat(after(1, Double.NaN)).isEqualTo(1);
    assertThat(after(1, -5)).isEqualTo(1);
  }

  @Test
  void shouldGoUpAtOnceInStepsAndNeverAboveTheMost() {
    assertThat(extensum.next(1.1)).as("half of it at once").isEqualTo(1.05, within(TOLERANCE));
    assertThat(after(20, 1.1)).isEqualTo(1.1, within(TOLERANCE));
    assertThat(after(20, 500)).isEqualTo(2, within(TOLERANCE));
    assertThat(after(20, Double.POSITIVE_INFINITY)).isEqualTo(2, within(TOLERANCE));
  }

  @Test
  void shouldGoDownByOneStepAtATimeAfterAWhile() {
    after(20, 1.5);
    double before = extensum.value();
    int changes = 0;
    int windows = 0;
    while (extensum.value() > 1.1) {
      double last = extensum.value();
      extensum.next(1);
      windows++;
      if (extensum.value() != last) {
        changes++;
        assertThat(last - extensum.value()).isEqualTo(Extensum.STEP, within(TOLERANCE));
      }
    }
    assertThat(changes).isEqualTo((int) Math.round((before - extensum.value()) / Extensum.STEP));
    assertThat(windows).isGreaterThanOrEqualTo(changes * Extensum.HOLD);
  }

  @Test
  void shouldNotFlapWhenWhatIsSeenGoesUpAndDown() {
    long seed = Seeds.seed();
    SplittableRandom random = new SplittableRandom(seed);
    after(50, 1.3);
    int changes = 0;
    for (int i = 0; i < 1_000; i++) {
      double last = extensum.value();
      // By 2 % at random, which is less than a step.
      changes += extensum.next(1.3 + 0.04 * (random.nextDouble() - 0.5)) == last ? 0 : 1;
    }
    assertThat(changes).as("seed %s", seed).isLessThanOrEqualTo(1);
  }

  @Test
  void shouldRefuseLimitsThatAreOutOfRange() {
    assertThatThrownBy(() -> new Extensum(0.9, 2)).hasMessageContaining("least=0.9");
    assertThatThrownBy(() -> new Extensum(1, 1_001)).hasMessageContaining("most=1001.0");
    assertThatThrownBy(() -> new Extensum(2, 1.5)).hasMessageContaining("most=1.5");
  }
}
