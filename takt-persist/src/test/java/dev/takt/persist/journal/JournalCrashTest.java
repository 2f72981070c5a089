package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.persist.MemoryStorage;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Whatever step of the storage a crash follows, a state is recovered that the space was in: with
 * each commit that had returned under {@code EVERY}, nothing twice and nothing half.
 */
class JournalCrashTest {
  private static final int THREADS = 2;

  private final Random random = new Random(Seeds.seed());

  /** Is told of failures, and throws nothing. */
  private static final class Told implements JournalListener {
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger relaxed = new AtomicInteger();
    private final AtomicInteger restored = new AtomicInteger();

    @Override
    public void onFailure(Throwable cause) {
      failures.incrementAndGet();
    }

    @Override
    public void onRelaxed(String why) {
      relaxed.incrementAndGet();
    }

    @Override
    public void onRestored() {
      restored.incrementAndGet();
    }
  }

  private static JournalSettings settings(Told told) {
    return JournalSettings.DEFAULTS
        .withSizes(1 << 17, 1 << 16, 1 << 16)
        .withRetryNs(1_000_000)
        .withListener(told);
  }

  private static EventSpace space() {
    return EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(512).withMaxEventBytes(256));
  }

  /** Works until the machine goes down; returns how many steps of each thread have returned. */
  private static int[] work(EventSpace space, Told told, int[] from, int steps)
      throws InterruptedException {
    int[] done = from.clone();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      Thread each =
          new Thread(
              () -> {
                try {
                  for (int n = from[thread] + 1; n <= from[thread] + steps; n++) {
                    Steps.step(space, thread, n);
                    if (told.failures.get() > 0) {
                      return; // it is committed, but may not be safe
                    }
                    done[thread] = n;
                  }
                } catch (Abort abort) {
                  assertThat(abort.reason()).isEqualTo(Abort.Reason.REFUSED);
                }
              });
      threads.add(each);
      each.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return done;
  }

  /**
   * Runs programs one after the other in one storage, each until it goes down at a step later than
   * the one before; returns how many steps there are until one ends by itself.
   */
  private int crashes(int steps, int stride) throws Exception {
    MemoryStorage storage = new MemoryStorage();
    int[] safe = new int[THREADS];
    int crashes = 0;
    for (int downAt = 1 + random.nextInt(stride); ; downAt += stride) {
      String what = "down at step %d, %s".formatted(downAt, Seeds.replay(Seeds.seed()));
      storage.steps = 0;
      storage.downAt = downAt;
      Told told = new Told();
      EventSpace space = space();
      boolean opened = false;
      try (Journal journal = Journal.open(storage, space, settings(told))) {
        opened = true;
        int[] from = new int[THREADS];
        for (int t = 0; t < THREADS; t++) {
          from[t] = Steps.recovered(space, t, what);
          assertThat(from[t]).as(what).isBetween(safe[t], safe[t] + 1);
        }
        safe = from;
        safe = work(space, told, from, steps);
        assertThat(journal.policy()).as(what).isEqualTo(FsyncPolicy.EVERY);
      } catch (MemoryStorage.Down e) {
        assertThat(opened).isFalse();
      }
      if (opened && told.failures.get() == 0 && storage.steps < downAt) {
        return crashes;
      }
      crashes++;
      storage.restart(random);
    }
  }

  @Test
  void shouldRecoverAllThatHadReturnedWhateverStepACrashFollows() throws Exception {
    // create, names, base, force, delete; then a write and a force for each group, and the rolls
    assertThat(crashes(40, 1)).isGreaterThan(30);
  }

  @Test
  void shouldRecoverAllThatHadReturnedWhenACrashFollowsAfterSeveralSegments() throws Exception {
    assertThat(crashes(150, Seeds.size(7, 1))).isGreaterThan(10);
  }

  /** What is not forced is lost in any part; what is left is a state that the space was in. */
  @Test
  void shouldRecoverAStateOfTheSpaceWhenNothingIsForced() throws Exception {
    for (int i = Seeds.size(60, 2_000); i > 0; i--) {
      MemoryStorage storage = new MemoryStorage();
      Told told = new Told();
      FsyncPolicy policy = random.nextBoolean() ? FsyncPolicy.NEVER : FsyncPolicy.INTERVAL;
      storage.downAt = 10 + random.nextInt(60);
      EventSpace space = space();
      int[] done = new int[THREADS];
      try (Journal journal = Journal.open(storage, space, settings(told).withPolicy(policy))) {
        done = work(space, told, new int[THREADS], 100);
        assertThat(journal.policy()).isEqualTo(policy);
      }
      storage.restart(random);
      EventSpace again = space();
      try (Journal journal = Journal.open(storage, again, settings(told))) {
        for (int t = 0; t < THREADS; t++) {
          String what = policy + ", " + Seeds.replay(Seeds.seed());
          assertThat(Steps.recovered(again, t, what)).as(what).isLessThanOrEqualTo(done[t] + 1);
        }
        assertThat(journal.recovered().isWarm()).isTrue();
      }
    }
  }

  @Test
  void shouldReportAndRefuseWhenTheDiskIsFullAndBeSafeAgainWhenItIsNot() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    Told told = new Told();
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, settings(told))) {
      storage.room = 50_000;
      int[] done = work(space, told, new int[THREADS], 100);
      assertThat(told.failures).hasValue(1);
      assertThat(journal.failure()).hasMessageContaining("No space left");
      assertThat(done[0] + done[1]).isLessThan(100);
      int some = done[0] > 0 ? 0 : 1; // the disk may be full before both have done something
      assertThat(space.read(new Event("counter", some), new Event())).isTrue(); // it goes on
      storage.room = Long.MAX_VALUE;
      while (told.restored.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(journal.failure()).isNull();
      int[] from = {Steps.counter(space, 0), Steps.counter(space, 1)};
      told.failures.set(0);
      done = work(space, told, from, 10);
      assertThat(done).containsExactly(from[0] + 10, from[1] + 10);
      storage.restart(random);
      EventSpace again = space();
      try (Journal after = Journal.open(storage, again, settings(new Told()))) {
        assertThat(Steps.recovered(again, 0, "0")).isEqualTo(done[0]);
        assertThat(Steps.recovered(again, 1, "1")).isEqualTo(done[1]);
        assertThat(after.recovered().isWarm()).isTrue();
      }
    }
  }

  @Test
  void shouldGoOnUnsafeWhenAskedToAndTheDiskIsFull() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    Told told = new Told();
    EventSpace space = space();
    JournalSettings settings = settings(told).withGoingOnUnsafe(true);
    try (Journal journal = Journal.open(storage, space, settings)) {
      storage.room = 20_000;
      for (int n = 1; n <= 200; n++) {
        Steps.step(space, 0, n);
      }
      assertThat(told.failures).hasValue(1);
      assertThat(journal.stats().refused()).isZero();
      storage.room = Long.MAX_VALUE;
      while (told.restored.get() == 0) {
        Thread.onSpinWait();
      }
    }
    EventSpace again = space();
    try (Journal journal = Journal.open(storage, again, settings)) {
      assertThat(Steps.recovered(again, 0, "all")).isEqualTo(200);
      assertThat(journal.recovered().cut()).isNull();
    }
  }

  /** A disk whose forces wait until they are let go. */
  private static final class SlowStorage extends MemoryStorageView {
    private volatile boolean stopped;
    private volatile boolean isForcing;

    SlowStorage(MemoryStorage storage) {
      super(storage);
    }

    @Override
    void beforeForce() throws IOException {
      isForcing = stopped;
      while (stopped) {
        Thread.yield();
      }
      isForcing = false;
    }
  }

  @Test
  void shouldRefuseWithLimitAndRemedyWhenTheDiskIsTooSlow() throws Exception {
    SlowStorage storage = new SlowStorage(new MemoryStorage());
    Told told = new Told();
    EventSpace space = space();
    JournalSettings settings =
        settings(told).withPolicy(FsyncPolicy.INTERVAL).withIntervalNs(100_000);
    try (Journal journal = Journal.open(storage, space, settings)) {
      storage.stopped = true;
      Abort refused = null;
      int n = 0;
      while (refused == null) {
        try {
          Steps.step(space, 0, n + 1);
          n++;
        } catch (Abort abort) {
          refused = abort;
        }
      }
      storage.stopped = false;
      assertThat(refused.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(refused).hasMessageContaining("limit=131072").hasMessageContaining("ringBytes");
      assertThat(Steps.counter(space, 0)).isEqualTo(n);
      while (journal.stats().commits() < n) {
        Thread.onSpinWait();
      }
      Steps.step(space, 0, n + 1);
      assertThat(told.failures).hasValue(0);
    }
  }

  /** A commit that takes some 4,400 bytes of the ring, by a thread that waits until it is safe. */
  private static Thread commit(EventSpace space, int thread) {
    Thread committer =
        new Thread(
            () ->
                space.transact(
                    0,
                    transaction -> {
                      for (int i = 0; i < 18; i++) {
                        transaction.write(new Event("thread", thread).add("a", new long[24]));
                      }
                      return null;
                    }));
    committer.start();
    return committer;
  }

  @Test
  void shouldBecomeIntervalWhenItIsBehindAndSaySoFirst() throws Exception {
    SlowStorage storage = new SlowStorage(new MemoryStorage());
    Told told = new Told();
    EventSpace space = space();
    JournalSettings settings = settings(told).withRelaxing(true);
    List<Thread> threads = new ArrayList<>();
    try (Journal journal = Journal.open(storage, space, settings)) {
      storage.stopped = true;
      threads.add(commit(space, 0));
      while (!storage.isForcing) {
        Thread.onSpinWait();
      }
      for (int t = 1; t < 20; t++) {
        threads.add(commit(space, t));
      }
      while (space.count(new Event()) < 20 * 18) {
        Thread.onSpinWait();
      }
      int relaxedBefore = told.relaxed.get();
      FsyncPolicy before = journal.policy();
      storage.stopped = false;
      for (Thread thread : threads) {
        thread.join();
      }
      while (told.restored.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(relaxedBefore).isZero();
      assertThat(before).isEqualTo(FsyncPolicy.EVERY);
      assertThat(told.relaxed).hasValue(1);
      assertThat(journal.policy()).isEqualTo(FsyncPolicy.EVERY);
      assertThat(told.failures).hasValue(0);
    }
  }
}
