package dev.takt.safety.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ordinary Java raises no alarm; and where it must, the message tells a stranger why. */
class NoFalseAlarmTest {
  @TempDir static Path folder;

  private static FrontEnds frontEnds;

  @BeforeAll
  static void start() {
    frontEnds = new FrontEnds(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    frontEnds.close();
  }

  static List<Program> programs() {
    return Program.all("clean");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldJudgeOrdinarySource(Program program) {
    FrontEnds.assertAgree("plugin", program, true, frontEnds.plugin(program));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldJudgeOrdinaryClasses(Program program) throws IOException {
    FrontEnds.assertAgree("takt check", program, true, frontEnds.check(program));
  }

  @Test
  void shouldSayWhyAStreamIsRefusedAndHowTheTaskGetsThere() throws IOException {
    Program program =
        programs().stream()
            .filter(each -> each.toString().contains("reject_int_stream_in_a_helper"))
            .findFirst()
            .orElseThrow();

    List<Sighting> sightings = frontEnds.check(program);

    assertThat(sightings)
        .hasSize(1)
        .first()
        .satisfies(
            sighting -> {
              assertThat(sighting.rule()).isEqualTo(Rule.R5);
              assertThat(sighting.text())
                  .contains("java.util.stream.IntStream")
                  .contains("monitors and the common pool")
                  .containsSubsequence("plant.Primes.execute", "plant.Numbers.even");
            });
  }
}
