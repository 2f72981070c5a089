package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.SharedBins;
import dev.takt.kept.SharedGraph;
import dev.takt.kept.SharedState;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cycle stores is the graph of one moment, whatever several plain threads do meanwhile. */
class PlainConsistencyTest {
  private static final int MOST_STEPS = 40;

  private final Random random = new Random(Seeds.seed());
  private final AtomicLong clock = new AtomicLong();
  private final AtomicLong ofModel = new AtomicLong();

  /** A thread that changes the graph as often as it may. */
  private final class Mutator implements Runnable {
    private static final int KEPT = 1 << 12;

    final Semaphore allowed = new Semaphore(0);
    private final AtomicLongArray times = new AtomicLongArray(KEPT);
    private final AtomicLongArray stepsOfTimes = new AtomicLongArray(KEPT);
    private final SharedState graph;
    private final int number;
    private volatile boolean over;

    Mutator(SharedState graph, int number) {
      this.graph = graph;
      this.number = number;
    }

    @Override
    public void run() {
      for (long step = 1; ; step++) {
        allowed.acquireUninterruptibly();
        if (over) {
          return;
        }
        int at = (int) step & KEPT - 1;
        times.set(at, graph.change(number, clock));
        stepsOfTimes.set(at, step);
      }
    }

    void end() {
      over = true;
      allowed.release();
    }

    /** Returns when a step was made, or a value if that is not known. */
    long time(long step, long otherwise) {
      int at = (int) step & KEPT - 1;
      long time = times.get(at);
      return step > 0 && stepsOfTimes.get(at) == step ? time : otherwise;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ANNOTATING, 1, objects",
    "MARKING, 1, objects",
    "ANNOTATING, 5, objects",
    "MARKING, 5, objects",
    "ANNOTATING, 1, collections",
    "MARKING, 1, collections",
    "ANNOTATING, 5, collections",
    "MARKING, 5, collections"
  })
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void shouldStoreTheGraphOfOneMomentWhileThreadsChangeIt(Scheme scheme, int fullEvery, String what)
      throws Exception {
    Persistence persistence =
        Persistence.open(
            new MemoryStorage(),
            PersistSettings.DEFAULTS
                .withScheme(scheme)
                .withFullEvery(fullEvery)
                .withBlockBytes(8_192));
    int incremental = 0;
    long seed = random.nextLong();
    SharedState graph = made(what, seed);
    persistence.addRoot("graph", graph);
    SharedState model = made(what, seed);
    Mutator[] mutators = new Mutator[SharedState.THREADS];
    FutureTask<?>[] ends = new FutureTask<?>[mutators.length];
    for (int i = 0; i < mutators.length; i++) {
      mutators[i] = new Mutator(graph, i);
      ends[i] = new FutureTask<>(mutators[i], null);
      Thread.ofPlatform().daemon().start(ends[i]);
    }
    long saves = 0;
    try {
      for (int i = Seeds.size(what.equals("objects") ? 300 : 60, 25_000); i > 0; i--) {
        CycleStats stats = cycle(persistence, mutators);
        saves += stats.barrierSaves();
        incremental += stats.base() > 0 ? 1 : 0;
        try (Recovery recovery = persistence.recover()) {
          SharedState recovered = recovery.root("graph", graph.getClass());
          compare(recovered, model, mutators, i);
        }
      }
    } finally {
      for (int i = 0; i < mutators.length; i++) {
        mutators[i].end();
        ends[i].get(1, TimeUnit.MINUTES);
      }
    }
    assertThat(saves).as("objects saved by the barrier").isPositive();
    assertThat(incremental > 0).as("incremental cycles").isEqualTo(fullEvery > 1);
  }

  private static SharedState made(String what, long seed) {
    return what.equals("collections") ? new SharedBins(seed) : new SharedGraph(seed);
  }

  private CycleStats cycle(Persistence persistence, Mutator[] mutators) throws IOException {
    allow(mutators);
    try (Cycle cycle = persistence.begin()) {
      CycleState state = CycleState.RUNNING;
      while (state == CycleState.RUNNING || state == CycleState.WAITING) {
        if (random.nextInt(4) == 0) {
          allow(mutators);
        }
        state = cycle.step(0);
        cycle.write();
        if (random.nextInt(4) == 0) {
          Thread.yield();
        }
      }
      assertThat(cycle.failure()).isNull();
      return cycle.stats();
    }
  }

  private void allow(Mutator[] mutators) {
    for (Mutator each : mutators) {
      if (each.allowed.availablePermits() < 100) {
        each.allowed.release(random.nextInt(MOST_STEPS));
      }
    }
  }

  private void compare(SharedState recovered, SharedState model, Mutator[] mutators, int cycle) {
    long newest = -1;
    long next = Long.MAX_VALUE;
    for (int i = 0; i < mutators.length; i++) {
      long step = recovered.step(i);
      assertThat(step).isGreaterThanOrEqualTo(model.step(i));
      while (model.step(i) < step) {
        model.change(i, ofModel);
      }
      newest = Math.max(newest, mutators[i].time(step, -1));
      next = Math.min(next, mutators[i].time(step + 1, Long.MAX_VALUE));
    }
    assertThat(newest)
        .as("one moment for all threads: cycle %d, %s", cycle, Seeds.replay(Seeds.seed()))
        .isLessThan(next);
    assertThat(Pictures.difference(recovered, model))
        .as("cycle %d, %s", cycle, Seeds.replay(Seeds.seed()))
        .isNull();
  }
}
