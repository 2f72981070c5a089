package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void shouldSurviveTheWayFromAnotherProcess() throws IOException {
    Samples samples = new Samples();
    samples.add("a.start", 3, 1, 2);
    samples.add("a.start", 9);
    samples.fact("scheduling", "FIFO 50,\nprocessor 1");

    Samples read = Samples.fromLines(samples.toLines());

    assertThat(read.series("a.start")).containsExactly(3, 1, 2, 9);
    assertThat(read.facts()).containsEntry("scheduling", "FIFO 50, processor 1");
  }

  @Test
  void shouldPassOverWhatElseAProcessPrints() throws IOException {
    Samples read =
        Samples.fromLines(List.of("OpenJDK warning: something", "series x 1 2", "seriesx y 3"));

    assertThat(read.has("x")).isTrue();
    assertThat(read.has("y")).isFalse();
    assertThat(read.sum("x")).isEqualTo(3);
    assertThat(read.sum("y")).isZero();
  }

  @Test
  void shouldRefuseWhatIsNoLineOfSamples() {
    assertThatThrownBy(() -> Samples.fromLines(List.of("series x 1 two")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("series x 1 two");
    assertThatThrownBy(() -> Samples.fromLines(List.of("series X 1")))
        .hasMessageContaining("name=X");
    assertThatThrownBy(() -> Samples.fromLines(List.of("fact ../x y")))
        .hasMessageContaining("name=../x");
    assertThatThrownBy(() -> Samples.fromLines(List.of("series x 99999999999999999999")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldRefuseMoreThanAnyCaseGives() {
    List<String> names =
        IntStream.rangeClosed(0, Samples.MAX_NAMES).mapToObj(i -> "series s" + i + " 1").toList();
    assertThatThrownBy(() -> Samples.fromLines(names))
        .hasMessageContaining("more than " + Samples.MAX_NAMES);

    String values = IntStream.range(0, 1_000).mapToObj(i -> "1").collect(Collectors.joining(" "));
    List<String> lines =
        IntStream.rangeClosed(0, Samples.MAX_VALUES / 1_000)
            .mapToObj(i -> "series x " + values)
            .toList();
    assertThatThrownBy(() -> Samples.fromLines(lines))
        .hasMessageContaining("x has more than " + Samples.MAX_VALUES);
  }

  @Test
  void shouldCopySeriesUnderOtherNames() {
    Samples samples = new Samples();
    samples.add("floor.pooled.latency", 1, 2);

    samples.copy("floor.pooled.", "floor.bound.");

    assertThat(samples.series("floor.bound.latency")).containsExactly(1, 2);
    assertThatThrownBy(() -> samples.series("nothing"))
        .hasMessageContaining("no series nothing among [floor.pooled.latency");
  }
}
