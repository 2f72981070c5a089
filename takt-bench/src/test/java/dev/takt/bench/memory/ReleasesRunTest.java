package dev.takt.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.measure.Measurement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasesRunTest {
  @ParameterizedTest
  @ValueSource(strings = {"stockbuyer", "builder"})
  void shouldWatchWithoutAllocatingWhenReleasesAreCounted(String program) throws Exception {
    Measurement figure = new ReleasesRun().run(List.of(program, "1000", "20000"));

    assertThat(figure.count("releases")).isGreaterThanOrEqualTo(20_000);
    assertThat(figure.count("watcher_bytes")).isZero();
  }
}
