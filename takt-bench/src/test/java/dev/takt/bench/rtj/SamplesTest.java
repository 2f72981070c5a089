package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.bench.measure.Wire;
import java.io.IOException;
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

    Samples read = Samples.fromJson(Wire.JSON_OF_RECORDS.asString(samples));

    assertThat(read.series("a.start")).containsExactly(3, 1, 2, 9);
    assertThat(read.facts()).containsEntry("scheduling", "FIFO 50, processor 1");
  }

  @Test
  void shouldPassOverWhatElseAProcessPrints() throws IOException {
    Samples read =
        Samples.fromJson(
            "warning: something\n{\"series\":{\"x\":[1,2]}}\n[{\"series\":{\"y\":[3]}}]");

    assertThat(read.has("x")).isTrue();
    assertThat(read.has("y")).isFalse();
    assertThat(read.sum("x")).isEqualTo(3);
    assertThat(read.sum("y")).isZero();
  }

  @Test
  void shouldRefuseWhatIsNoLineOfSamples() {
    assertThatThrownBy(() -> Samples.fromJson(series("x", "1,two")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1,two");
    assertThatThrownBy(() -> Samples.fromJson(series("X", "1"))).hasMessageContaining("name=X");
    assertThatThrownBy(() -> Samples.fromJson("{\"facts\":{\"../x\":\"y\"}}"))
        .hasMessageContaining("name=../x");
    assertThatThrownBy(() -> Samples.fromJson(series("x", "99999999999999999999")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void shouldRefuseMoreThanAnyCaseGives() {
    String names =
        IntStream.rangeClosed(0, Samples.MAX_NAMES)
            .mapToObj(i -> series("s" + i, "1"))
            .collect(Collectors.joining("\n"));
    assertThatThrownBy(() -> Samples.fromJson(names))
        .hasMessageContaining("more than " + Samples.MAX_NAMES);

    String values = IntStream.range(0, 1_000).mapToObj(i -> "1").collect(Collectors.joining(","));
    String lines =
        IntStream.rangeClosed(0, Samples.MAX_VALUES / 1_000)
            .mapToObj(i -> series("x", values))
            .collect(Collectors.joining("\n"));
    assertThatThrownBy(() -> Samples.fromJson(lines))
        .hasMessageContaining("x has more than " + Samples.MAX_VALUES);
  }

  private static String series(String name, String values) {
    return "{\"series\":{\"" + name + "\":[" + values + "]}}";
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
