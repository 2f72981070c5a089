package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Listeners to the commits of a space: what they learn, and the picture that a scan adds to it. */
class CommitsTest {
  private static final int THREADS = 4;
  private static final long TOTAL = 1 << 12;

  private final EventSpace space = EventSpace.create();

  private static Event coin(long value) {
    return new Event("type", "coin").add("value", value);
  }

  /** The events by their numbers, as the reports and scans make them out. */
  private static final class Picture implements CommitListener {
    private final Map<Long, Event> present = new TreeMap<>();

    /** What was reported as taken before it was reported as written, with its value. */
    private final Map<Long, Long> early = new HashMap<>();

    private final Set<Long> taken = new HashSet<>();

    /** What was gone when it was reported as written, without a report that it was taken. */
    private final Set<Long> gone = new HashSet<>();

    private long last = -1;

    @Override
    public synchronized void onCommit(Commit commit) {
      for (int i = 0; i < commit.takenCount(); i++) {
        Event event = new Event();
        commit.taken(i, event);
        long number = commit.takenNumber(i);
        assertThat(taken.add(number)).as("taken once").isTrue();
        if (present.remove(number) == null && number - last > 0) {
          early.put(number, event.getLong("value"));
        }
      }
      for (int i = 0; i < commit.writtenCount(); i++) {
        Event event = new Event();
        boolean isThere = commit.written(i, event);
        long number = commit.writtenNumber(i);
        if (number != 0 && early.remove(number) == null && !taken.contains(number)) {
          if (isThere) {
            present.put(number, event);
          } else {
            gone.add(number);
          }
        }
      }
    }

    synchronized void scanned(Event event, long number) {
      if (!taken.contains(number)) {
        Event known = present.putIfAbsent(number, event.copy());
        assertThat(known == null || known.equals(event)).isTrue();
      } else {
        early.remove(number);
      }
    }

    /** Only later events are certain to be reported as written. */
    synchronized void beginAfter(long number) {
      last = number;
      early.keySet().removeIf(each -> each - last <= 0);
    }

    synchronized long sum() {
      assertThat(gone).isEmpty();
      long sum = present.values().stream().mapToLong(each -> each.getLong("value")).sum();
      return sum - early.values().stream().mapToLong(each -> each).sum();
    }
  }

  @Test
  void shouldReportWhatEachTransactionHasWrittenAndTaken() {
    List<String> log = new ArrayList<>();
    space.write(coin(1));
    space
        .commits()
        .attach(
            commit -> {
              Event event = new Event();
              for (int i = 0; i < commit.takenCount(); i++) {
                commit.taken(i, event);
                log.add("taken " + event.getLong("value"));
              }
              for (int i = 0; i < commit.writtenCount(); i++) {
                log.add(
                    commit.written(i, event)
                        ? "written " + event.getLong("value")
                        : "taken back " + commit.writtenNumber(i));
              }
            });

    space.write(coin(2));
    space.transact(
        transaction -> {
          transaction.take(coin(1), new Event());
          transaction.write(coin(3));
          transaction.write(coin(4));
          transaction.take(coin(4), new Event());
        });
    space.transact(
        transaction -> {
          transaction.write(coin(5));
          transaction.abort();
        });
    assertThat(space.test(coin(5))).isFalse();
    assertThat(space.take(coin(3))).isNotNull();
    space.commits().detach();
    space.write(coin(6));

    assertThat(log).containsExactly("written 2", "taken 1", "written 3", "taken back 0", "taken 3");
  }

  @Test
  void shouldGiveNumbersThatGrowAndTellTakenEventsFromEqualOnes() {
    Picture picture = new Picture();
    space.commits().attach(picture);
    for (int i = 0; i < 100; i++) {
      space.write(coin(i % 3));
    }
    for (int i = 0; i < 20; i++) {
      space.take(coin(1));
    }

    Map<Long, Event> scanned = new TreeMap<>();
    int given = space.commits().scan((event, number) -> scanned.put(number, event.copy()));

    assertThat(given).isEqualTo(80);
    assertThat(scanned).isEqualTo(picture.present);
    List<Event> inOrder = new ArrayList<>();
    space.forEach(new Event(), event -> inOrder.add(event.copy()));
    assertThat(new ArrayList<>(scanned.values())).isEqualTo(inOrder);
  }

  @Test
  void shouldStayCommittedAndReportWhenTheListenerThrows() throws InterruptedException {
    IllegalStateException full = new IllegalStateException("the disk is full");
    List<Throwable> reported = new ArrayList<>();
    space
        .commits()
        .attach(
            commit -> {
              throw full;
            });

    Thread writer = new Thread(() -> space.write(coin(1)));
    writer.setUncaughtExceptionHandler((_, thrown) -> reported.add(thrown));
    writer.start();
    writer.join();
    space.commits().detach();

    assertThat(reported).containsExactly(full);

    assertThat(space.stats().events()).isEqualTo(1);
    assertThat(space.take(coin(1))).isNotNull();
    assertThat(space.stats().events()).isZero();
  }

  @Test
  void shouldRefuseASecondListener() {
    space.commits().attach(commit -> {});

    assertThatThrownBy(() -> space.commits().attach(commit -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("limit: 1");
  }

  @Test
  void shouldRefuseToAttachOrScanInsideOfACommitWhichWouldWaitForItself() {
    List<String> refusals = new ArrayList<>();
    space
        .commits()
        .attach(
            commit -> {
              space.commits().detach();
              refusals.add(refusal(() -> space.commits().attach(other -> {})));
              refusals.add(refusal(() -> space.commits().scan((_, _) -> {})));
            });

    space.write(coin(1));

    assertThat(refusals).hasSize(2).allMatch(each -> each.contains("call it from another thread"));
  }

  private static String refusal(Runnable call) {
    return catchThrowableOfType(IllegalStateException.class, call::run).getMessage();
  }

  /**
   * Each transaction takes some coins and writes others that are worth as much, so their sum is the
   * same in each consistent picture, whenever the listener is attached.
   */
  @Test
  void shouldMakeAConsistentPictureWhileOthersCommit() throws Exception {
    long seed = Seeds.seed();
    for (int i = 0; i < 16; i++) {
      space.write(coin(TOTAL / 16));
    }
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    int rounds = Seeds.size(3_000, 100_000);
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, thrown) -> failures.add(thrown))
              .start(
                  () -> {
                    for (int round = 0; round < rounds; round++) {
                      space.transact(0, transaction -> change(transaction, random));
                    }
                  }));
    }
    int pictures = 0;
    Picture picture = new Picture();
    boolean running = true;
    while (running) {
      picture = new Picture();
      picture.beginAfter(space.commits().attach(picture));
      space.commits().scan(picture::scanned);
      for (int i = 0; i < 20; i++) {
        assertThat(picture.sum())
            .as("picture %s, %s", pictures, Seeds.replay(seed))
            .isEqualTo(TOTAL);
      }
      // The last picture stays attached until the last thread has ended.
      running = threads.stream().anyMatch(Thread::isAlive);
      if (running) {
        space.commits().detach();
      }
      pictures++;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    List<Event> left = new ArrayList<>();
    space.forEach(new Event(), event -> left.add(event.copy()));
    assertThat(left.stream().mapToLong(each -> each.getLong("value")).sum()).isEqualTo(TOTAL);
    assertThat(new ArrayList<>(picture.present.values())).isEqualTo(left);
    assertThat(picture.early).isEmpty();
    assertThat(failures).isEmpty();
    assertThat(pictures).isPositive();
  }

  /** The slots are few, so that each is written anew while a scan looks at it. */
  @Test
  void shouldGiveEachEventOfAScanWithItsOwnNumber() throws Exception {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    Map<Long, Long> values = new ConcurrentHashMap<>();
    small.commits().attach(commit -> remember(commit, values));
    int rounds = Seeds.size(300_000, 10_000_000);
    AtomicLong scanned = new AtomicLong();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Event event = new Event();
                  for (long value = 1; isToGoOn(value, rounds, scanned); value++) {
                    small.write(coin(value));
                    if (value > rounds) {
                      Thread.yield(); // so that it is there while others run
                    }
                    small.take(coin(value), event);
                  }
                });
    while (writer.isAlive()) {
      Map<Long, Long> seen = new HashMap<>();
      int given = small.commits().scan((event, number) -> seen.put(number, event.getLong("value")));
      seen.forEach((number, value) -> assertThat(values.get(number)).isEqualTo(value));
      scanned.addAndGet(given);
    }
    writer.join();
    assertThat(scanned).hasPositiveValue();
  }

  /** A machine that is busy may not let a scan run for so many rounds. */
  private static boolean isToGoOn(long value, int rounds, AtomicLong scanned) {
    return value <= rounds || scanned.get() == 0 && value <= 2L * rounds;
  }

  private static void remember(Commit commit, Map<Long, Long> values) {
    Event event = new Event();
    for (int i = 0; i < commit.writtenCount(); i++) {
      if (commit.written(i, event)) {
        values.put(commit.writtenNumber(i), event.getLong("value"));
      }
    }
  }

  /** Takes up to three coins, and writes as many as it takes to have the same value again. */
  private static Object change(SpaceTransaction transaction, Random random) {
    Event coin = new Event();
    Event any = new Template("value", null);
    long value = 0;
    for (int i = random.nextInt(3); i >= 0; i--) {
      value += transaction.take(any, coin) ? coin.getLong("value") : 0;
    }
    while (value > 0) {
      long part = random.nextInt(3) == 0 ? value : 1 + random.nextLong(value);
      transaction.write(coin(part));
      value -= part;
    }
    return null;
  }
}
