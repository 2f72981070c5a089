package dev.takt.bench.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.bench.Figure;
import java.io.IOException;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Percentage RESOLUTION = Percentage.withPercentage(0.2);

  @Test
  void shouldCountAGapForEachReleaseThatShouldHaveBegunInIt() throws InterruptedException {
    Pace pace = new Pace(100, 200, 1_000);
    pace.released(-200, -190);
    pace.released(-100, -20); // warm-up
    pace.released(0, 10); // the end of it
    pace.released(100, 110);
    pace.released(200, 215);
    pace.released(800, 815); // five periods were skipped
    pace.released(900, 900);
    pace.released(1_000, 1_120);
    pace.released(1_100, 1_121); // not counted: the time is over

    assertThat(pace.await()).isTrue();
    Figure figure = pace.figure();
    assertThat(figure.count("periods")).isEqualTo(10);
    assertThat(figure.count("misses")).as("five skipped, one a period late").isEqualTo(6);
    assertThat(figure.percentile(100)).isEqualTo(600);
    assertThat(figure.batchNs().getTotalCount())
        .as("100, 105, 600 to 100, 85, 220 and 120")
        .isEqualTo(11);
  }

  @Test
  void shouldReadTheHistogramOfCyclictest() throws IOException {
    Figure figure =
        CyclicTest.parse(
            List.of(
                "# /dev/cpu_dma_latency set to 0us",
                "# Histogram",
                "000000 000000",
                "000004 000090",
                "000120 000009",
                "# Total: 000000099",
                "# Max Latencies: 00250",
                "# Histogram Overflows: 00001",
                "# Thread 0:"));

    assertThat(figure.p50()).isCloseTo(4_000, RESOLUTION);
    assertThat(figure.percentile(100)).isCloseTo(250_000, RESOLUTION);
    assertThat(figure.count("misses")).isEqualTo(9);
    assertThat(figure.count("periods")).isEqualTo(99);
  }

  @Test
  void shouldSayWhenCyclictestHasMeasuredNothing() {
    assertThatThrownBy(() -> CyclicTest.parse(List.of("unable to open /dev/cpu_dma_latency")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no histogram")
        .hasMessageContaining("unable to open");
  }
}
