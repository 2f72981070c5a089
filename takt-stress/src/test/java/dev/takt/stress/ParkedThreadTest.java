package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread stops for good at every single access to shared memory of a transaction, from its begin
 * to the end of its clean-up, and others go on: they commit in a bounded number of steps and see
 * all of its transaction or nothing.
 */
@ExtendWith(LeakCheck.class)
class ParkedThreadTest {
  private static final int[][] PRIORITIES_OF_VICTIM_AND_OTHERS = {{0, 0}, {5, 0}, {0, 5}};

  private final FaultLoader loader = Loaders.withHooks();
  private final SpacePort.Factory spaces = Loaders.spaces(loader);

  @ParameterizedTest
  @EnumSource
  void shouldLetOthersGoOnWhereverAThreadStops(ParkedThread.Scenario scenario) {
    for (int[] priorities : PRIORITIES_OF_VICTIM_AND_OTHERS) {
      int step = 0;
      List<ParkedThread> parked;
      do {
        step++;
        ParkedThread victim = new ParkedThread(scenario, step, priorities[0]);
        parked = new ParkedRound(spaces, List.of(victim), priorities[1]).run();
        assertThat(step).as("%s does not end", scenario).isLessThan(10_000);
      } while (!parked.isEmpty());
      System.out.printf(
          "parked %s (priority %d, others %d) at each of %d accesses%n",
          scenario, priorities[0], priorities[1], step - 1);
      assertThat(step).as("accesses of %s", scenario).isGreaterThan(10);
    }
  }

  @Test
  void shouldLetOthersGoOnWhenThreeThreadsStopAnywhere() {
    long seed = Seeds.seed();
    int rounds = Seeds.isReplay() ? 1 : Seeds.size(2_000, 50_000);
    long stopped = 0;
    for (int i = 0; i < rounds; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      List<ParkedThread> victims = new ArrayList<>();
      for (int j = 0; j < 3; j++) {
        ParkedThread.Scenario[] scenarios = ParkedThread.Scenario.values();
        victims.add(
            new ParkedThread(
                scenarios[random.nextInt(scenarios.length)],
                1 + random.nextInt(120),
                random.nextInt(3)));
      }
      try {
        stopped += new ParkedRound(spaces, victims, random.nextInt(3)).run().size();
      } catch (AssertionError e) {
        throw new AssertionError(Seeds.replay(seed + i), e);
      }
    }
    System.out.printf(
        "%,d rounds with %,d threads stopped, from %s%n", rounds, stopped, Seeds.replay(seed));
    assertThat(stopped).isGreaterThan(rounds / 2);
  }
}
