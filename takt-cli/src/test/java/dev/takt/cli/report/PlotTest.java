package dev.takt.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PlotTest {
  @Test
  void shouldCountEveryRecordedValueOnce() {
    Histogram histogram = new Histogram(3);
    histogram.recordValue(0);
    histogram.recordValueWithCount(100, 5);
    histogram.recordValueWithCount(101, 2);
    histogram.recordValue(1_000_000);

    List<List<Number>> points = points(Plot.histogram("t", "ns").histogram("x", histogram));

    assertThat(points.stream().mapToLong(point -> point.get(1).longValue()).sum()).isEqualTo(9);
    assertThat(points).contains(List.of(1.0, 1L), List.of(100.0, 7L), List.of(1_000_000.0, 1L));
    assertThat(points.getLast().get(1)).as("it comes down at its end").isEqualTo(0);
  }

  @Test
  void shouldHaveAscendingEdges() {
    Histogram histogram = new Histogram(3);
    for (long value = 1; value < 1_000_000; value = value * 3 / 2 + 1) {
      histogram.recordValue(value);
    }

    List<List<Number>> points = points(Plot.histogram("t", "ns").histogram("x", histogram));

    assertThat(points.stream().map(point -> point.get(0).doubleValue()).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldHaveAPercentileCurve() {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= 1_000; i++) {
      histogram.recordValue(i);
    }

    List<List<Number>> curve = points(Plot.histogram("t", "ns").histogram("x", histogram), "curve");

    assertThat(curve.getFirst()).isEqualTo(List.of(1.0, 1L));
    assertThat(curve.getLast()).isEqualTo(List.of(1_000.0, 1_000L));
    assertThat(curve.stream().map(point -> point.get(0).doubleValue()).toList()).isSorted();
    assertThat(curve).anySatisfy(point -> assertThat(point).isEqualTo(List.of(2.0, 500L)));
  }

  @Test
  void shouldPutBarsIntoGroups() {
    Plot plot =
        Plot.bars("t", "ns")
            .bar("pair", "takt", 60)
            .bar("pair", "peer", 9_000)
            .bar("solo", "takt", 130);

    assertThat(plot.members().get("groups")).isEqualTo(List.of("pair", "solo"));
    assertThat(plot.members().get("series"))
        .isEqualTo(
            List.of(
                Map.of("name", "takt", "points", List.of(List.of(0, 60), List.of(1, 130))),
                Map.of("name", "peer", "points", List.of(List.of(0, 9_000)))));
  }

  @Test
  void shouldRefuseASeriesOfAnotherKind() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Plot.lines("t", "x", "y").bar("b", "", 1))
        .withMessage("a plot of lines cannot hold a series of bars");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plot.lines("t", "x", "y").series("s", new double[2], new double[3]))
        .withMessage("s: x has 2 values and y has 3");
  }

  private static List<List<Number>> points(Plot plot) {
    return points(plot, "points");
  }

  @SuppressWarnings("unchecked")
  private static List<List<Number>> points(Plot plot, String member) {
    var series = (List<Map<String, Object>>) plot.members().get("series");
    return (List<List<Number>>) series.getFirst().get(member);
  }
}
