package dev.takt.bench.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HandoverTest {
  static List<ChildRun.Body> handovers() {
    return List.of(new SpaceHandover(), new DisruptorHandover());
  }

  @ParameterizedTest
  @MethodSource("handovers")
  void shouldHandOverEveryEventOnceAndInOrder(ChildRun.Body handover) throws Exception {
    Measurement figure = handover.run(List.of(Integer.toString(3 * Arrivals.BATCH), "60000"));

    assertThat(figure.batchNs().getTotalCount()).as("batches").isEqualTo(3);
    assertThat(figure.p50()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("handovers")
  void shouldEndWithWhatThereIsWhenTheTimeIsOver(ChildRun.Body handover) throws Exception {
    Measurement figure = handover.run(List.of(Integer.toString(4 * Arrivals.BATCH), "0"));

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
