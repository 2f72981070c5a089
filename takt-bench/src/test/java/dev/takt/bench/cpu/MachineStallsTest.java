package dev.takt.bench.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.rtj.BaselineProgram;
import org.junit.jupiter.api.Test;

class MachineStallsTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldKnowHowLongNobodyRanInEachStretchOfTime() {
    MachineStalls stalls = MachineStalls.of("100 300", "1000 1500");

    assertThat(stalls.ns(0, 2_000)).isEqualTo(700);
    assertThat(stalls.ns(200, 1_100)).isEqualTo(200);
    assertThat(stalls.ns(300, 1_000)).isZero();
  }

  @Test
  void shouldTakeAReleaseForStalledOnlyIfItWouldHaveBeenInTimeOtherwise() {
    MachineStalls stalls = MachineStalls.of("0 " + 3 * MS);

    assertThat(new OtherTasks.Missed(0, 0, 2 * MS, 4 * MS).isBy(stalls)).isTrue();
    assertThat(new OtherTasks.Missed(0, 0, 2 * MS, 6 * MS).isBy(stalls)).isFalse();
    assertThat(new OtherTasks.Missed(2 * MS, 2 * MS, 2 * MS, 6 * MS).isBy(stalls)).isFalse();
  }

  @Test
  void shouldSeeNothingWithoutACompiler() throws Exception {
    MachineStalls stalls = MachineStalls.watch(BaselineProgram.NONE);
    stalls.close();

    assertThat(stalls.ns(0, Long.MAX_VALUE)).isZero();
  }

  @Test
  void shouldEndItsProcess() throws Exception {
    try (BaselineProgram program = BaselineProgram.compile()) {
      MachineStalls stalls = MachineStalls.watch(program.path());
      stalls.close();
      if (program.problem().isEmpty()) {
        stalls.process().onExit().join();
      }
    }
  }
}
