package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Teller;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.Generations;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The disk becomes full and has room again: commits are refused meanwhile, and go on when a new
 * segment and a full snapshot are safe; a crash at any step leaves fields and events that agree.
 */
class ImagesFailureTest {
  private static final String TEXT = "x".repeat(3_000);
  private static final int ORDERS = 24;

  private final Random random = new Random(Seeds.seed());
  private MemoryStorage storage = new MemoryStorage();
  private final CountingListener told = new CountingListener();
  private boolean goesOnUnsafe;
  private int failures;
  private int refusals;

  /** The last order that is safe for sure. */
  private long safeFed;

  @Test
  void shouldGoOnMakingSnapshotsWhenOneOfAnEarlierRunCannotBeRead() throws IOException {
    for (int run = 0; run < 2; run++) {
      try (KeptProgram program =
          KeptProgram.open(storage, PersistSettings.DEFAULTS, JournalSettings.DEFAULTS)) {
        program.runtime.active("teller", new Teller(Tellers.SEED), Schedule.continuous());
        program.runtime.start();
        for (int cycle = 1; cycle <= 2; cycle++) {
          CycleStats stats = program.persistence.begin(program.runtime).run();
          assertThat(stats.generation()).isEqualTo(2 * run + cycle);
        }
      }
      storage.badFile = Generations.name(1);
    }
    assertThat(storage.names()).doesNotContain(Generations.name(1));
  }

  private KeptProgram program(int fullEvery) throws IOException {
    return KeptProgram.open(
        storage,
        PersistSettings.DEFAULTS.withBlockBytes(8_192).withGenerations(1).withFullEvery(fullEvery),
        JournalSettings.DEFAULTS
            .withSizes(1 << 17, 1 << 16, 1 << 16)
            .withPolicy(FsyncPolicy.EVERY)
            .withRetryNs(1_000_000)
            .withGoingOnUnsafe(goesOnUnsafe)
            .withListener(told));
  }

  /** Feeds orders until all are done; returns false if it went down before. */
  private boolean run(String what) throws IOException {
    Teller teller = new Teller(Tellers.SEED);
    int cycleEvery = 1 + random.nextInt(10);
    try (KeptProgram program = program(1 + random.nextInt(3))) {
      program.runtime.active("teller", teller, Schedule.continuous());
      long fed = Tellers.check(program.space, teller, what);
      assertThat(fed).as(what).isGreaterThanOrEqualTo(safeFed);
      told.failures.set(0);
      told.restored.set(0);
      program.runtime.start();
      long last = fed + ORDERS;
      for (long n = fed + 1; n <= last; n++) {
        if (!write(program, n)) {
          return false;
        }
        if (told.isSafe()) {
          safeFed = n;
        }
        if (n % cycleEvery == 0) {
          cycle(program);
        }
      }
      while (program.space.count(new Event("done", last)) == 0 || !told.isSafe()) {
        if (isDown()) {
          return false;
        }
        cycle(program);
      }
      failures += told.failures.get();
      return storage.steps < storage.downAt;
    } catch (IOException e) {
      assertThat(isDown() || isFull(e)).as(what + e).isTrue();
      return false;
    } catch (IllegalStateException e) {
      assertThat(e).as(what).hasMessageContaining("journal");
      return false;
    }
  }

  private static boolean isFull(IOException e) {
    return e.getMessage() != null && e.getMessage().contains("No space left");
  }

  private boolean isDown() {
    return storage.steps >= storage.downAt;
  }

  /** Writes an order as soon as it is not refused any more. */
  private boolean write(KeptProgram program, long n) {
    while (!isDown()) {
      try {
        program.space.write(new Event("order", n).add("text", TEXT));
        return true;
      } catch (Abort refused) {
        assertThat(refused).hasMessageContaining("journal");
        refusals++;
        cycle(program);
      }
    }
    return false;
  }

  private static void cycle(KeptProgram program) {
    try (Cycle cycle = program.persistence.begin(program.runtime)) {
      cycle.run();
    } catch (IOException | IllegalStateException e) {
      Thread.onSpinWait(); // the disk is full, or the journal has no segment yet
    }
  }

  private void check(String what, long expected) throws IOException {
    Teller teller = new Teller(Tellers.SEED);
    try (KeptProgram program = program(1)) {
      program.runtime.active("teller", teller, Schedule.continuous());
      assertThat(Tellers.check(program.space, teller, what)).as(what).isEqualTo(expected);
    }
  }

  private void fill(int from, int writes) {
    storage.writes = 0;
    storage.fullFrom = from;
    storage.fullTo = from + writes;
  }

  private String what(int from) {
    return "full at " + from + ", down at " + storage.downAt + ", " + Seeds.replay(Seeds.seed());
  }

  @Test
  void shouldGoOnWhenTheDiskThatWasFullAtAnyWriteHasRoomAgain() throws IOException {
    int stride = Seeds.size(6, 1);
    int from = 1 + random.nextInt(stride);
    boolean reached = true;
    while (reached) {
      storage = new MemoryStorage();
      safeFed = 0;
      fill(Integer.MAX_VALUE / 2, 1);
      assertThat(run(what(from))).isTrue();
      fill(from, 1 + random.nextInt(12));
      goesOnUnsafe = random.nextInt(4) == 0;
      boolean ended = run(what(from));
      reached = storage.writes >= from;
      storage.fullFrom = Integer.MAX_VALUE;
      storage.restart(random);
      if (ended) {
        check(what(from), 2L * ORDERS);
      }
      from += stride;
    }
    assertThat(failures).isPositive();
    assertThat(refusals).isPositive();
  }

  @Test
  void shouldAgreeWithTheEventsWhateverStepACrashFollowsWhenTheDiskWasFull() throws IOException {
    for (int i = Seeds.size(40, 3_000); i > 0 || hasNoFailure() && i > -200; i--) {
      int from = 1 + random.nextInt(60);
      fill(from, 1 + random.nextInt(12));
      storage.steps = 0;
      storage.downAt = 2 * from + random.nextInt(100);
      goesOnUnsafe = random.nextInt(4) == 0;
      run(what(from));
      storage.fullFrom = Integer.MAX_VALUE;
      storage.restart(random);
    }
    assertThat(hasNoFailure()).isFalse();
  }

  private boolean hasNoFailure() {
    return told.failures.get() + failures == 0;
  }

  /** No cycle is due for an hour, and nobody asks for one. */
  @Test
  void shouldSayWhatCommitsWaitForAndHaveThePersistenceTaskBeginACycleAtOnce() throws IOException {
    Teller teller = new Teller(Tellers.SEED);
    try (KeptProgram program = program(4)) {
      TaskControl control = program.runtime.active("teller", teller, Schedule.continuous());
      program.runtime.start();
      PersistenceTask task =
          PersistenceTask.of(
              program.persistence,
              program.runtime,
              PersistenceTaskSettings.DEFAULTS.withCyclePeriodNs(3_600_000_000_000L));
      assertThat(write(program, 1)).isTrue();
      storage.room = 0;
      Abort refused = refusal(program, 2);
      assertThat(refused.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(refused).hasMessageContaining("No space left");
      storage.room = Long.MAX_VALUE;
      while (!told.isSafe()) {
        task.write();
        task.increment();
      }
      assertThat(program.journal.failure()).isNull();
      assertThat(write(program, orders(program) + 1)).isTrue();
      assertThat(control.failure() == null || control.failure() instanceof Abort).isTrue();
      task.close();
    }
  }

  private static long orders(KeptProgram program) {
    return Math.max(last(program, "order"), last(program, "done"));
  }

  private static long last(KeptProgram program, String key) {
    long[] last = new long[1];
    program.space.forEach(
        new Event(key, null), event -> last[0] = Math.max(last[0], event.getLong(key)));
    return last[0];
  }

  private static Abort refusal(KeptProgram program, long from) {
    for (long n = from; ; n++) {
      try {
        program.space.write(new Event("order", n).add("text", TEXT));
      } catch (Abort refused) {
        return refused;
      }
    }
  }

  @Test
  void shouldReadEachSegmentOnce() throws IOException {
    assertThat(run("")).isTrue();
    storage.restart(random);
    storage.opened.clear();
    try (KeptProgram program = program(1)) {
      assertThat(program.journal.recovered().isWarm()).isTrue();
    }
    storage.opened.keySet().removeIf(name -> !name.startsWith("journal"));
    assertThat(storage.opened.values()).isNotEmpty().allMatch(times -> times == 1);
  }
}
