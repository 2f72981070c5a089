package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Teller;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.TaskControl;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever step of the storage a crash follows: what a task holds in its fields is what it must
 * hold after the orders that are gone, and each other one is there once.
 */
class ImagesCrashTest {
  private static final String TEXT = "x".repeat(3_000);

  private final Random random = new Random(Seeds.seed());
  private final MemoryStorage storage = new MemoryStorage();
  private int fullEvery = 1;

  /** How many orders there are from cycle to cycle. */
  private int cycleEvery;

  /** The last order that was safe, and the last that was done for sure, when it went down. */
  private long safeFed;

  private long safeDone;
  private int images;

  private static JournalSettings settings(CountingListener told, FsyncPolicy policy) {
    return JournalSettings.DEFAULTS
        .withSizes(1 << 17, 1 << 16, 1 << 16)
        .withPolicy(policy)
        .withIntervalNs(100_000)
        .withListener(told);
  }

  /** Runs a program until it goes down or has done so many orders; returns whether it did. */
  private boolean run(FsyncPolicy policy, int orders) throws IOException {
    String what = policy + ", down at " + storage.downAt + ", " + Seeds.replay(Seeds.seed());
    CountingListener told = new CountingListener();
    Teller teller = new Teller(Tellers.SEED);
    PersistSettings persist =
        PersistSettings.DEFAULTS.withBlockBytes(8_192).withGenerations(2).withFullEvery(fullEvery);
    try (KeptProgram program = KeptProgram.open(storage, persist, settings(told, policy))) {
      EventSpace space = program.space;
      TaskControl control = program.runtime.active("teller", teller, Schedule.continuous());
      long fed = Tellers.check(space, teller, what);
      if (policy == FsyncPolicy.EVERY) {
        assertThat(fed).as(what).isGreaterThanOrEqualTo(safeFed);
        assertThat(teller.count()).as(what).isGreaterThanOrEqualTo(safeDone);
      }
      safeFed = fed;
      safeDone = teller.count();
      images += program.journal.recovered().commits() > 0 ? 1 : 0;
      program.runtime.start();
      long target = fed + orders;
      for (long n = fed + 1; n <= target; n++) {
        space.write(new Event("order", n).add("text", TEXT));
        if (told.failures.get() > 0) {
          return false;
        }
        safeFed = n;
        if (n % cycleEvery == 0) {
          await(control, told, n - fed);
          program.persistence.begin(program.runtime).run();
        }
      }
      await(control, told, orders);
      return told.failures.get() == 0;
    } catch (Abort abort) {
      assertThat(abort.reason()).as(what).isEqualTo(Abort.Reason.REFUSED);
      return false;
    } catch (IOException e) {
      assertThat(storage.steps).as(what + e).isGreaterThanOrEqualTo(storage.downAt);
      return false;
    } catch (IllegalStateException e) {
      assertThat(e).as(what).hasMessageContaining("journal");
      return false;
    }
  }

  /** Waits until so many releases have committed, with idle ones; or the journal has failed. */
  private static void await(TaskControl control, CountingListener told, long releases) {
    while (control.commits() < releases && told.failures.get() == 0) {
      Thread.onSpinWait();
    }
  }

  /** At first there is no cycle, so that only the journal has the task; then they go on. */
  @ParameterizedTest
  @EnumSource
  void shouldAgreeWithTheEventsWhateverStepACrashFollows(FsyncPolicy policy) throws Exception {
    cycleEvery = Integer.MAX_VALUE;
    for (int i = Seeds.size(8, 100); i > 0 || images == 0 && i > -200; i--) {
      crash(policy, 5 + random.nextInt(100));
    }
    assertThat(images).isPositive();
    int stride = Seeds.size(8, 1);
    boolean isDone = false;
    for (int downAt = 1 + random.nextInt(stride); !isDone; downAt += stride) {
      fullEvery = 1 + random.nextInt(3);
      cycleEvery = 1 + random.nextInt(10);
      isDone = crash(policy, downAt);
    }
  }

  /** Lets a program go down at a step; returns whether it has ended before. */
  private boolean crash(FsyncPolicy policy, int downAt) throws IOException {
    storage.steps = 0;
    storage.downAt = downAt;
    boolean isDone = run(policy, 30) && storage.steps < downAt;
    storage.restart(random);
    return isDone;
  }
}
