package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Random concurrent histories of the shipped space are strictly serializable. */
class HistoryTest {
  private final long seed = Seeds.seed();

  private void check(String what, Interleaver.Result result) {
    System.out.printf(
        "%s: %,d histories, %,d transactions, %,d conflicts, from %s%n",
        what, result.histories(), result.units(), result.conflicts(), Seeds.replay(seed));
    assertThat(result.violation()).as("%s, %s", what, Seeds.replay(result.seed())).isNull();
  }

  static int histories(int normal, int full) {
    return Seeds.isReplay() ? 1 : Seeds.size(normal, full);
  }

  @Test
  void shouldAcceptHistoriesOfSerialReference() {
    check(
        "reference",
        new Interleaver(new ReferenceSpaces(true), false).run(seed, histories(2_000, 20_000)));
  }

  @Test
  void shouldRejectHistoriesWithoutIsolation() {
    Interleaver.Result result = new Interleaver(new ReferenceSpaces(false), false).run(seed, 2_000);
    assertThat(result.violation()).as("%s", Seeds.replay(seed)).isNotNull();
  }

  @Test
  void shouldFindSerialOrderForInterleavedHistories() {
    FaultLoader loader = Loaders.withHooks();
    Interleaver interleaver = new Interleaver(Loaders.spaces(loader), true);
    check("interleaved", interleaver.run(seed, histories(20_000, 3_000_000)));
  }

  @Test
  void shouldFindSerialOrderForHistoriesOfTwoThreads() {
    check("2 threads", new RealThreads(new RealSpaces()).run(seed, histories(20_000, 500_000), 2));
  }

  @Test
  void shouldFindSerialOrderForHistoriesOfFourThreads() {
    check("4 threads", new RealThreads(new RealSpaces()).run(seed, histories(10_000, 300_000), 4));
  }
}
