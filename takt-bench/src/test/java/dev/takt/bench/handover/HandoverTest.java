package dev.takt.bench.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.takt.bench.measure.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandoverTest {
  private static Measurement handOver(String name, int events, long limitMs) throws Exception {
    return name.equals("space")
        ? new SpaceHandover(events, limitMs).run()
        : new DisruptorHandover(events, limitMs).run();
  }

  @ParameterizedTest
  @ValueSource(strings = {"space", "disruptor"})
  void shouldHandOverEveryEventOnceAndInOrder(String handover) throws Exception {
    Measurement figure = handOver(handover, 3 * Arrivals.BATCH, 60_000);

    assertThat(figure.batchNs().getTotalCount()).as("batches").isEqualTo(3);
    assertThat(figure.p50()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"space", "disruptor"})
  void shouldEndWithWhatThereIsWhenTheTimeIsOver(String handover) throws Exception {
    Measurement figure = handOver(handover, 4 * Arrivals.BATCH, 0);

    assertThat(figure.batchNs().getTotalCount())
        .as("of the four that were asked for")
        .isLessThan(4);
  }

  @Test
  void shouldNoticeALostEvent() {
    Arrivals arrivals = new Arrivals(1_000, 60_000);
    arrivals.next(1);

    assertThatIllegalStateException()
        .isThrownBy(() -> arrivals.next(3))
        .withMessage("event 3 arrived where 2 was due");
    assertThatIllegalStateException()
        .isThrownBy(arrivals::figure)
        .withMessageContaining("only 0 batches");
  }

  @Test
  void shouldReportTheMistakeOfAThread() {
    HandoverThreads threads = new HandoverThreads();
    threads.start(
        "fails",
        () -> {
          throw new IllegalArgumentException("on purpose");
        });

    assertThatIllegalStateException()
        .isThrownBy(threads::join)
        .havingCause()
        .withMessage("on purpose");
  }
}
