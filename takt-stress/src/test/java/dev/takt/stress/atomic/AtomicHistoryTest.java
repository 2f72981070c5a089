package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Random histories of atomic calls and releases, each step of which must fit into one order. */
class AtomicHistoryTest {
  private final long seed = Seeds.seed();

  @Test
  void shouldFindSerialOrderForInterleavedHistories() {
    int rounds = Seeds.isReplay() ? 1 : Seeds.size(20_000, 1_000_000);
    String violation = AtomicHistories.violation(AtomicHistories.loader(null), seed, rounds);
    System.out.printf("interleaved: %,d rounds from %s%n", rounds, Seeds.replay(seed));
    assertThat(violation).as("%s", Seeds.replay(seed)).isNull();
  }

  @Test
  void shouldFindSerialOrderForHistoriesOfRealThreads() throws Exception {
    int rounds = Seeds.isReplay() ? 1 : Seeds.size(400, 40_000);
    for (int i = 0; i < rounds; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      AtomicRound round =
          new AtomicRound(new TaskAccount(), 1 + random.nextInt(3), 500, random.split());
      runOnRealThreads(round);
      assertThat(round.violation()).as("%s", Seeds.replay(seed + i)).isNull();
    }
    System.out.printf("real threads: %,d rounds from %s%n", rounds, Seeds.replay(seed));
  }

  private static void runOnRealThreads(AtomicRound round) throws InterruptedException {
    CyclicBarrier barrier = new CyclicBarrier(round.actors().size());
    Throwable[] failure = new Throwable[1];
    List<Thread> threads = new ArrayList<>();
    for (AtomicRound.Actor actor : round.actors()) {
      Thread thread =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((failed, e) -> failure[0] = e)
              .unstarted(
                  () -> {
                    await(barrier);
                    actor.run();
                  });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
