package dev.takt.bench.rtj;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OsNoiseTest {
  private final OsNoise seen =
      new OsNoise(new long[] {5, 20, 30, 40}, new long[] {1, 2, 50}, 1_000);

  @Test
  void shouldExpectOfSleepsWhatSleepsDid() {
    assertThat(seen.expected(20, 8, 0)).isEqualTo(6);
    assertThat(seen.expected(41, 8, 0)).isZero();
  }

  @Test
  void shouldExpectOfRunningWhatLookingAtTheClockDid() {
    assertThat(seen.expected(50, 0, 500)).isEqualTo(0.5);
    assertThat(seen.expected(51, 0, 500)).isZero();
    assertThat(seen.expected(30, 2, 2_000)).as("both").isEqualTo(1 + 2);
  }

  @Test
  void shouldTellLongestOfBoth() {
    assertThat(seen.longestNs()).isEqualTo(50);
    assertThat(new OsNoise(new long[] {60}, new long[] {50}, 1).longestNs()).isEqualTo(60);
  }

  @Test
  void shouldReadWhatAFloorSaw() throws Exception {
    Samples samples = new Samples();
    assertThat(OsNoise.of(samples)).isNull();
    try (BaselineProgram compiled = BaselineProgram.compile()) {
      if (compiled.problem().isEmpty()) {
        samples.addAll(
            OsNoise.PREFIX, compiled.run(OsNoise.FLOOR, new Frames(3, 2_000_000), 0, 0, -1));
        OsNoise machine = OsNoise.of(samples);
        assertThat(machine.lateNs()).hasSize(60);
        assertThat(Stats.of(machine.lateNs()).min()).isNotNegative();
        assertThat(machine.gapsNs()).hasSize(60);
        assertThat(Stats.of(machine.gapsNs()).min()).isPositive();
        assertThat(machine.lookedNs()).isPositive();
      }
    }
  }
}
