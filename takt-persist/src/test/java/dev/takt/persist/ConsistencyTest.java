package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Grower;
import dev.takt.kept.Transfers;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.limit.AtomicCallRejected;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cycle stores is the graph of its begin, whatever releases do meanwhile. */
class ConsistencyTest {
  private static final int MOST_STEPS = 40;

  private final MemoryStorage storage = new MemoryStorage();
  private final AtomicLong limit = new AtomicLong();
  private final Random random = new Random(Seeds.seed());
  private long barrierSaves;

  @ParameterizedTest
  @CsvSource({"ANNOTATING, 1", "MARKING, 1", "ANNOTATING, 6", "MARKING, 6"})
  void shouldStoreTheGraphOfItsBeginWhileReleasesGoOn(Scheme scheme, int fullEvery)
      throws IOException {
    Persistence persistence =
        Persistence.open(
            storage,
            PersistSettings.DEFAULTS
                .withScheme(scheme)
                .withFullEvery(fullEvery)
                .withBlockBytes(8_192));
    int incremental = 0;
    long seed = random.nextLong();
    Grower model = new Grower(seed, limit);
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            EventSpace.create(), RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1))) {
      Grower task = new Grower(seed, limit);
      runtime.active("grower", task, Schedule.continuous());
      runtime.start();
      for (int i = Seeds.size(300, 50_000); i > 0; i--) {
        CycleStats stats = cycle(persistence, runtime);
        barrierSaves += stats.barrierSaves();
        incremental += stats.base() > 0 ? 1 : 0;
        compare(persistence, model, i);
      }
      assertThat(runtime.tasks().getFirst().failure()).isNull();
    }
    assertThat(barrierSaves).as("objects saved by the barrier").isPositive();
    assertThat(incremental > 0).as("incremental cycles").isEqualTo(fullEvery > 1);
  }

  /** Runs a cycle while the task is allowed more and more steps. */
  private CycleStats cycle(Persistence persistence, ReflexRuntime runtime) throws IOException {
    limit.addAndGet(random.nextInt(MOST_STEPS));
    try (Cycle cycle = persistence.begin(runtime)) {
      CycleState state = CycleState.RUNNING;
      while (state == CycleState.RUNNING || state == CycleState.WAITING) {
        if (random.nextInt(8) == 0) {
          limit.addAndGet(random.nextInt(MOST_STEPS));
        }
        state = cycle.step(0);
        cycle.write();
        if (random.nextInt(4) == 0) {
          Thread.onSpinWait();
        }
      }
      assertThat(cycle.failure()).isNull();
      return cycle.stats();
    }
  }

  @Test
  void shouldStoreTheSameWhenTheWriterIsAThreadOfItsOwn() throws Exception {
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withBlockBytes(8_192));
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      for (int i = Seeds.size(40, 5_000); i > 0; i--) {
        grower.limit.addAndGet(random.nextInt(MOST_STEPS));
        try (Cycle cycle = persistence.begin(grower.runtime)) {
          AtomicBoolean over = new AtomicBoolean();
          FutureTask<Void> writer = new FutureTask<>(() -> write(cycle, over), null);
          Thread thread = Thread.ofPlatform().start(writer);
          CycleState state = CycleState.RUNNING;
          while (state != CycleState.DONE && state != CycleState.FAILED) {
            state = cycle.step(0);
          }
          over.set(true);
          writer.get(1, TimeUnit.MINUTES);
          thread.join();
          assertThat(cycle.failure()).isNull();
        }
        compare(persistence, grower.model, i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"ANNOTATING, 1", "MARKING, 1", "ANNOTATING, 9"})
  void shouldStoreNoHalfOfWhatReleasesAndAtomicCallsDo(Scheme scheme, int fullEvery)
      throws Exception {
    Persistence persistence =
        Persistence.open(
            storage, PersistSettings.DEFAULTS.withScheme(scheme).withFullEvery(fullEvery));
    AtomicBoolean over = new AtomicBoolean();
    Transfers task = new Transfers();
    long calls = 0;
    try (ReflexRuntime runtime =
        ReflexRuntime.create(
            EventSpace.create(), RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1))) {
      runtime.active("transfers", task, Schedule.periodic(20_000));
      runtime.start();
      long seed = random.nextLong();
      FutureTask<Void> caller = new FutureTask<>(() -> call(task, new Random(seed), over), null);
      Thread.ofPlatform().start(caller);
      try {
        for (int i = Seeds.size(300, 50_000); i > 0; i--) {
          assertThat(persistence.begin(runtime).run().barrierCalls()).isNotNegative();
          Transfers recovered = new Transfers();
          try (Recovery recovery = persistence.recover()) {
            recovery.recover("transfers", recovered);
          }
          assertThat(recovered.fault()).as("%d, %s", i, Seeds.replay(Seeds.seed())).isNull();
          assertThat(recovered.calls()).isGreaterThanOrEqualTo(calls);
          calls = recovered.calls();
        }
      } finally {
        over.set(true);
        caller.get(1, TimeUnit.MINUTES);
      }
    }
    assertThat(calls).isPositive();
  }

  private static void call(Transfers task, Random random, AtomicBoolean over) {
    while (!over.get()) {
      try {
        task.call(
            random.nextInt(Transfers.ACCOUNTS),
            random.nextInt(Transfers.ACCOUNTS),
            random.nextInt());
      } catch (AtomicCallRejected e) {
        // The task goes first: it may be released too often for a call to fit in between.
        Thread.onSpinWait();
      }
    }
  }

  private static void write(Cycle cycle, AtomicBoolean over) {
    while (!over.get()) {
      try {
        cycle.write();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void compare(Persistence persistence, Grower model, int cycle) throws IOException {
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.rejected()).isEmpty();
      Grower recovered = new Grower(model.seed(), limit);
      assertThat(recovery.recover("grower", recovered)).isTrue();
      assertThat(recovered.step()).isGreaterThanOrEqualTo(model.step());
      while (model.step() < recovered.step()) {
        model.change();
      }
      assertThat(Pictures.difference(recovered, model))
          .as("cycle %d, %s", cycle, Seeds.replay(Seeds.seed()))
          .isNull();
    }
  }
}
