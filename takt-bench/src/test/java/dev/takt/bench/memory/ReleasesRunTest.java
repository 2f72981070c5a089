package dev.takt.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.measure.Measurement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasesRunTest {
  @ParameterizedTest
  @ValueSource(strings = {"stockbuyer", "builder"})
  void shouldWatchWithoutAllocatingWhenReleasesAreCounted(String program) throws Exception {
    Measurement figure = new ReleasesRun(program, 1_000, 20_000).run();

    assertThat(figure.count("releases")).isGreaterThanOrEqualTo(20_000);
    assertThat(figure.count("watcher_bytes")).isZero();
  }
}
