package dev.takt.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class MeterTest {
  @Test
  void shouldCountWholeBatchesAfterTheWarmup() throws InterruptedException {
    Meter meter = new Meter(10, 15, 30);
    assertThat(meter.total()).isEqualTo(50);
    for (int i = 1; i < 50; i++) {
      assertThat(meter.tick(i)).isTrue();
    }
    assertThat(meter.await(0)).isFalse();

    assertThat(meter.tick(50)).isFalse();
    assertThat(meter.tick(51)).isFalse();

    Measurement figure = meter.figure(1);
    assertThat(meter.await(0)).isTrue();
    assertThat(figure.batchNs().getTotalCount()).isEqualTo(3);
    assertThat(figure.iterations()).isEqualTo(10);
  }

  @Test
  void shouldTakeAnUndoneIterationTwice() {
    Meter meter = new Meter(1, 1, 2);

    meter.tick(1);
    meter.tick(2);
    meter.tick(2);
    meter.tick(3);

    assertThat(meter.figure(5).batchNs().getTotalCount()).isEqualTo(2);
    assertThat(meter.figure(5).iterations()).isEqualTo(5);
  }

  @Test
  void shouldHaveAFigureOfTheBatchesThereWereTimeFor() {
    Meter meter = new Meter(10, 20, 100);
    for (int i = 1; i <= 45; i++) {
      meter.tick(i);
    }

    assertThat(meter.figure(1).batchNs().getTotalCount())
        .as("the third and the fourth")
        .isEqualTo(2);
  }

  @Test
  void shouldFallBackToTheWarmupWhenThereWasNoTimeForMore() {
    Meter meter = new Meter(10, 100, 100);
    for (int i = 1; i <= 40; i++) {
      meter.tick(i);
    }

    assertThat(meter.figure(1).batchNs().getTotalCount()).as("the fourth").isEqualTo(1);
  }

  @Test
  void shouldHaveNoFigureWithoutABatch() {
    Meter meter = new Meter(10, 10, 10);
    meter.tick(10);

    assertThatIllegalStateException()
        .isThrownBy(() -> meter.figure(1))
        .withMessageContaining("only 1 batches of 2 were measured");
  }
}
