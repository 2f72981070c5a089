package dev.takt.bench.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.takt.bench.measure.Measurement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Percentage RESOLUTION = Percentage.withPercentage(0.2);

  @Test
  void shouldCountAGapForEachReleaseThatShouldHaveBegunInIt() throws InterruptedException {
    Pace pace = new Pace(100, 200, 1_000);
    pace.released(-200, -190, -183);
    pace.released(-100, -20, -13); // warm-up
    pace.released(0, 10, 17); // the end of it
    pace.released(100, 110, 117);
    pace.released(200, 215, 222);
    pace.released(800, 815, 822); // five periods were skipped
    pace.released(900, 900, 907);
    pace.released(1_000, 1_120, 1_127);
    pace.released(1_100, 1_121, 1_128); // not counted: the time is over

    assertThat(pace.await()).isTrue();
    Measurement figure = pace.gaps();
    assertThat(figure.count("periods")).isEqualTo(10);
    assertThat(figure.count("misses")).as("five skipped, one a period late").isEqualTo(6);
    assertThat(figure.percentile(100)).isEqualTo(600);
    assertThat(figure.batchNs().getTotalCount())
        .as("100, 105, 600 to 100, 85, 220 and 120")
        .isEqualTo(11);
  }

  private static final List<String> CYCLICTEST =
      List.of(
          "# /dev/cpu_dma_latency set to 0us",
          "# Histogram",
          "000000 000000",
          "000004 000090",
          "000120 000009",
          "# Total: 000000099",
          "# Max Latencies: 00250",
          "# Histogram Overflows: 00001",
          "# Histogram Overflow at cycle number:",
          "# Thread 0:");

  @Test
  void shouldReadTheHistogramOfCyclictest() throws IOException {
    assertThat(CyclicTest.parse(CYCLICTEST))
        .containsExactly(entry(4_000L, 90L), entry(120_000L, 9L), entry(250_000L, 1L));
  }

  @Test
  void shouldCountTheDueTimesThatCyclictestSkips() {
    SortedMap<Long, Long> wakeUps = new TreeMap<>(Map.of(0L, 5L, 40L, 3L, 50L, 2L, 170L, 1L));

    assertThat(CyclicTest.dueTimes(wakeUps, 50))
        .as("170 late means 120, 70 and 20 for the next ones; 50 late passes none")
        .containsExactly(
            entry(0L, 5L),
            entry(20L, 1L),
            entry(40L, 3L),
            entry(50L, 2L),
            entry(70L, 1L),
            entry(120L, 1L),
            entry(170L, 1L));
  }

  @Test
  void shouldCountAStallOfCyclictestAsAnyOther() throws IOException {
    Measurement figure = CyclicTest.figure(CyclicTest.parse(CYCLICTEST));

    assertThat(figure.p50()).isCloseTo(4_000, RESOLUTION);
    assertThat(figure.percentile(100)).isCloseTo(250_000, RESOLUTION);
    assertThat(figure.count("misses")).as("nine of 120 us, one of 250 and of 150").isEqualTo(11);
    assertThat(figure.count("periods")).as("90, twice nine, and 250, 150, 50").isEqualTo(111);
  }

  @Test
  void shouldSayWhenCyclictestHasMeasuredNothing() {
    assertThatThrownBy(() -> CyclicTest.parse(List.of("unable to open /dev/cpu_dma_latency")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no histogram")
        .hasMessageContaining("unable to open");
  }
}
