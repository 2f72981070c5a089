package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.bench.measure.LatenessRecorder;
import dev.takt.bench.rtj.flight.FlightControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BaselineProgramTest {
  private static final Frames FRAMES = new Frames(3, 2_000_000);

  @Test
  void shouldMeasureInCWhereThereIsACompiler() throws Exception {
    Path program;
    try (BaselineProgram compiled = BaselineProgram.compile()) {
      if (compiled.problem().isPresent()) {
        assertThat(compiled.path()).isEqualTo("-");
        assertThat(compiled.problem().get()).contains("cc");
        return;
      }
      program = Path.of(compiled.path());
      BaselineProgram floor = BaselineProgram.at(compiled.path());

      Samples locks = floor.run("locks", FRAMES, 0, 0, -1);
      Samples frames = floor.run("end", FRAMES, 0, 2, -1);

      Samples flight = floor.run("flight", FRAMES, 0, 0, -1);

      LatenessRecorder wakeUps = new LatenessRecorder(2_000_000);
      BaselineProgram.wakeUps(compiled.path(), 2_000_000, 5, 0, wakeUps);
      BaselineProgram.wakeUps(compiled.path(), 2_000_000, 5, 0, wakeUps);

      FlightControl same = ThroughputCase.flight();
      same.rewind();
      same.frame();
      assertThat(flight.facts())
          .as("the same work as in Java")
          .containsEntry("checksum", Long.toHexString(same.checksum()));
      assertThat(wakeUps.gaps().count("periods")).as("of both blocks").isGreaterThanOrEqualTo(10);
      assertThat(locks.series("inheriting")).hasSize(3);
      assertThat(locks.facts()).containsEntry("scheduling", "OTHER").containsKey("memory");
      assertThat(frames.series("start")).as("gaps").hasSize(2);
      assertThat(frames.stats("work").min()).isPositive();
      assertThatThrownBy(() -> floor.run("nothing", FRAMES, 0, 0, -1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the floor nothing came to no end");
    }
    assertThat(Files.exists(program)).isFalse();
    assertThat(Files.exists(program.getParent())).isFalse();
  }
}
