package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.persist.MemoryStorage;
import dev.takt.persist.store.Storage;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A listener may throw, commit and close: no commit hangs, and what it is told is true. */
@Timeout(60)
class JournalListenerTest {
  /** What a listener throws. */
  enum Thrown {
    NOTHING,
    CAUSE,
    EXCEPTION,
    ERROR;

    private void raise(Throwable cause) {
      switch (this) {
        case NOTHING -> {}
        case CAUSE -> JournalListenerTest.<RuntimeException>sneak(cause);
        case EXCEPTION -> throw new IllegalStateException("by the listener");
        case ERROR -> throw new AssertionError("by the listener");
      }
    }
  }

  @SuppressWarnings("unchecked") // any exception is thrown as one that nobody declares
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Does something when it is told of a failure, and when all is well again. */
  private static final class Told implements JournalListener {
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger restored = new AtomicInteger();
    private volatile Consumer<Throwable> onFailure = cause -> {};
    private volatile Runnable onRestored = () -> {};

    @Override
    public void onFailure(Throwable cause) {
      failures.incrementAndGet();
      onFailure.accept(cause);
    }

    @Override
    public void onRelaxed(String why) {}

    @Override
    public void onRestored() {
      restored.incrementAndGet();
      onRestored.run();
    }
  }

  private final MemoryStorage storage = new MemoryStorage();
  private final EventSpace space = EventSpace.create();
  private final Told told = new Told();
  private final JournalSettings settings =
      JournalSettings.DEFAULTS
          .withSizes(1 << 17, 1 << 16, 1 << 16)
          .withRetryNs(1_000_000)
          .withListener(told);

  /** Commits until the disk is full; a commit that meets that returns or is refused. */
  private void failByAFullDisk() {
    storage.room = 0;
    while (told.failures.get() == 0) {
      try {
        space.write(new Event("before", 1));
      } catch (Abort abort) {
        assertThat(abort.reason()).isEqualTo(Abort.Reason.REFUSED);
      }
    }
  }

  private static void await(AtomicInteger count) {
    while (count.get() == 0) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetCommitsGoOnAndComeBackWhateverTheListenerThrows(Thrown thrown) throws IOException {
    told.onFailure = thrown::raise;
    told.onRestored = () -> thrown.raise(new IOException("restored"));
    try (Journal journal = Journal.open(storage, space, settings)) {
      failByAFullDisk();
      storage.room = Long.MAX_VALUE;
      await(told.restored);
      assertThat(journal.failure()).isNull();
      space.write(new Event("after", 1));
    }
    assertThat(told.failures).hasValue(1);
    assertThat(told.restored).hasValue(1);
    EventSpace again = EventSpace.create();
    try (Journal journal = Journal.open(storage, again, settings)) {
      assertThat(again.count(new Event("after", 1))).isEqualTo(1);
      assertThat(journal.recovered().isWarm()).isTrue();
    }
  }

  /** As the JVM has it when the heap is full: it throws one and the same error again and again. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldLetCommitsComeBackWhenTheLogFailsByWhatTheListenerHasThrown() throws IOException {
    OutOfMemoryError full = new OutOfMemoryError("of the test");
    told.onFailure =
        _ -> {
          throw full;
        };
    Logger log = Logger.getLogger("dev.takt.persist");
    log.setFilter(
        _ -> {
          throw full;
        });
    try (Journal journal = Journal.open(storage, space, settings)) {
      failByAFullDisk();
      storage.room = Long.MAX_VALUE;
      await(told.restored);
      assertThat(journal.failure()).isNull();
      space.write(new Event("after", 1));
    } finally {
      log.setFilter(null);
    }
  }

  /** Counts how often it is locked. */
  private static final class LockedStorage extends MemoryStorageView {
    private final AtomicInteger locks = new AtomicInteger();

    LockedStorage(MemoryStorage storage) {
      super(storage);
    }

    @Override
    void beforeForce() {}

    @Override
    public Lock lock() {
      locks.incrementAndGet();
      return locks::decrementAndGet;
    }
  }

  @Test
  @SuppressWarnings("try") // it is closed twice
  void shouldEndAndUnlockTheStorageWhenTheListenerClosesTheJournal() throws Exception {
    LockedStorage locked = new LockedStorage(storage);
    AtomicReference<Journal> opened = new AtomicReference<>();
    told.onFailure = cause -> opened.get().close();
    try (Journal journal = Journal.open(locked, space, settings)) {
      opened.set(journal);
      failByAFullDisk();
    } // waits until the thread has ended
    assertThat(locked.locks).hasValue(0);
  }

  @Test
  void shouldNotWaitForItselfWhenTheListenerCommits() throws IOException {
    told.onFailure = cause -> space.write(new Event("alarm", 1));
    told.onRestored = () -> space.write(new Event("over", 1));
    JournalSettings unsafe = settings.withGoingOnUnsafe(true);
    try (Journal journal = Journal.open(storage, space, unsafe)) {
      failByAFullDisk();
      storage.room = Long.MAX_VALUE;
      await(told.restored);
      space.write(new Event("after", 1));
      assertThat(journal.failure()).isNull();
    }
    EventSpace again = EventSpace.create();
    try (Journal journal = Journal.open(storage, again, settings)) {
      for (String key : new String[] {"alarm", "over", "after"}) {
        assertThat(again.count(new Event(key, 1))).as(key).isEqualTo(1);
      }
      assertThat(journal.recovered().cut()).isNull();
    }
  }

  /** Commits something while each force goes on. */
  private static final class CommittingStorage extends MemoryStorageView {
    private final AtomicInteger returned = new AtomicInteger();
    private final EventSpace space;
    private volatile boolean commits;
    private int begun;

    CommittingStorage(Storage storage, EventSpace space) {
      super(storage);
      this.space = space;
    }

    @Override
    void beforeForce() {
      if (commits) {
        Event event = new Event("meanwhile", begun++);
        Thread committer =
            new Thread(
                () -> {
                  space.write(event);
                  returned.incrementAndGet();
                });
        committer.start();
        // If it is to wait, then for this force.
        while (committer.isAlive() && (space.count(event) == 0 || !isWaiting(committer))) {
          Thread.onSpinWait();
        }
      }
    }

    /** By its stack: a thread that sleeps by a call of the system is runnable for Java. */
    private static boolean isWaiting(Thread thread) {
      return Arrays.stream(thread.getStackTrace())
          .anyMatch(frame -> frame.getMethodName().equals("awaitSafe"));
    }
  }

  @Test
  void shouldSayThatAllIsSafeOnlyWhenItIs() throws IOException {
    CommittingStorage committing = new CommittingStorage(storage, space);
    AtomicInteger safe = new AtomicInteger();
    told.onFailure = cause -> committing.commits = told.restored.get() == 0;
    told.onRestored =
        () -> {
          committing.commits = false;
          safe.set(committing.returned.get());
          storage.downAt = storage.steps + 1; // nothing more becomes safe
        };
    JournalSettings unsafe = settings.withGoingOnUnsafe(true);
    try (Journal journal = Journal.open(committing, space, unsafe)) {
      failByAFullDisk();
      storage.room = Long.MAX_VALUE;
      await(told.restored);
      assertThat(journal.stats().failures()).isPositive();
    }
    storage.restart(new Random(Seeds.seed()));
    EventSpace again = EventSpace.create();
    try (Journal journal = Journal.open(storage, again, settings)) {
      assertThat(safe.get()).isPositive();
      for (int i = 0; i < safe.get(); i++) {
        assertThat(again.count(new Event("meanwhile", i))).as("%s", i).isEqualTo(1);
      }
      assertThat(journal.recovered().isWarm()).isTrue();
    }
  }
}
