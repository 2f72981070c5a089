package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.ThreadMeter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverrunDebtTest {
  private final OverrunDebt debt = new OverrunDebt();

  @Test
  void shouldAddWhatIsBeyondTheCostAndTakeOffWhatIsLeftOver() {
    debt.add(100, 100);
    assertThat(debt.isOpen()).isFalse();
    debt.add(130, 100);
    debt.add(150, 100);
    assertThat(debt.ns()).isEqualTo(80);
    assertThat(debt.isOpen()).isTrue();
    debt.add(90, 100);
    assertThat(debt.ns()).isEqualTo(70);
    debt.add(10, 100);
    assertThat(debt.ns()).as("nothing is saved up").isZero();
    assertThat(debt.isOpen()).isFalse();
    debt.add(101, 100);
    assertThat(debt.ns()).isEqualTo(1);
  }

  @Test
  void shouldBeginAnewWhenItIsForgiven() {
    debt.add(500, 100);
    debt.forgive();
    assertThat(debt.ns()).isZero();
    debt.add(107, 100);
    assertThat(debt.ns()).isEqualTo(7);
  }

  /** Of a task that exceeds its cost in one of two releases, each in turn, some are measured. */
  @Test
  void shouldMeasureOneOf64OnAverageAndNotAlwaysTheSameOfTwo() {
    CostSamples samples = new CostSamples(1, new CountingMeter(), true);
    List<Integer> measured = new ArrayList<>();
    for (int i = 1; i <= CostSamples.COLD + 1; i++) {
      samples.onBegin(false);
      assertThat(samples.onEnd(0, 0) == ThreadMeter.UNKNOWN).isEqualTo(i <= CostSamples.COLD);
    }
    samples.take();
    int releases = 64_000;
    for (int i = 0; i < releases; i++) {
      samples.onBegin(false);
      if (samples.onEnd(0, 0) != ThreadMeter.UNKNOWN) {
        measured.add(i);
      }
    }

    assertThat(measured.size()).isBetween(900, 1_100);
    assertThat(measured.stream().filter(each -> each % 2 == 0).count())
        .isBetween(measured.size() / 3L, measured.size() * 2 / 3L);
  }

  @Test
  void shouldMeasureEachReleaseThatIsLookedAtClosely() {
    CostSamples samples = new CostSamples(1, new CountingMeter(), true);
    for (int i = 0; i < CostSamples.COLD + 1; i++) {
      samples.onBegin(false);
      samples.onEnd(0, 0);
    }
    samples.take();
    for (int i = 0; i < 200; i++) {
      samples.onBegin(true);
      assertThat(samples.onEnd(0, 0)).isEqualTo(1);
    }
  }

  /** Each look costs 1 ns. */
  private static final class CountingMeter implements ThreadMeter {
    private long ns;

    @Override
    public long usedNs() {
      return ns++;
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }
  }
}
