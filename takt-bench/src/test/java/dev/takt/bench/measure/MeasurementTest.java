package dev.takt.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.takt.cli.report.Machine;
import dev.takt.cli.report.Report;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementTest {
  @Test
  void shouldDivideBatchesByTheirIterations() {
    Measurement figure = Measurement.of(new long[] {1_000, 7_000, 12_000, 100_000}, 100, 0.001);

    assertThat(figure.batchNs().getTotalCount()).isEqualTo(3);
    assertThat(figure.p50()).isEqualTo(60, within(0.1));
    assertThat(figure.percentile(100)).isEqualTo(880, within(1.0));
  }

  @Test
  void shouldSurviveTheWayFromAnotherProcess() throws IOException {
    Measurement figure = Measurement.of(new long[] {0, 6_000, 11_000}, 100, 1.5);

    for (Measurement each : List.of(figure, figure.with("late", 2.5))) {
      String text = Wire.JSON_OF_RECORDS.asString(each);
      assertThat(Wire.JSON_OF_RECORDS.beanFrom(Measurement.class, text)).isEqualTo(each);
    }
  }

  @Test
  void shouldPutItsFiguresBesideAResult() {
    var result = new Report("space", "t", Machine.detect()).add("pair", "ns", 1);

    Measurement.of(new long[] {0, 6_000}, 100, 0.001).addTo(result);

    assertThat(result.members())
        .containsKeys("mean", "p99", "p999", "max")
        .containsEntry("batch", 100L);
    assertThat(((Number) result.get("alloc_bytes")).doubleValue())
        .as("less than a hundredth of a byte")
        .isZero();
  }
}
