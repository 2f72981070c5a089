package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Takes and reads that wait. */
@Timeout(60)
class BlockingTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final SpaceSettings SMALL = SpaceSettings.DEFAULTS.withCapacity(64);

  private final EventSpace space = EventSpace.create(SMALL);

  private static <T> FutureTask<T> start(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  private static Event order(long id) {
    return new Event("id", id);
  }

  @Test
  void shouldWaitForEverWhenTheTimeoutIsTooLongForNanoseconds() throws Exception {
    for (Duration longest :
        List.of(ChronoUnit.FOREVER.getDuration(), Duration.ofDays(300 * 365), LONG)) {
      FutureTask<Event> taker = start(() -> space.take(order(1), longest));
      awaitWaiters(space, 1);
      space.write(order(1));
      assertThat(taker.get()).isEqualTo(order(1));
    }
  }

  @Test
  void shouldReturnAtOnceWhenTheTimeoutIsNegative() throws Exception {
    assertThat(space.take(order(1), Duration.ofSeconds(Long.MIN_VALUE))).isNull();
    assertThat(space.waiters.count()).isZero();
  }

  @Test
  void shouldTakeAnyEventWhenTheTemplateIsEmpty() throws Exception {
    assertThat(space.take(new Event(), Duration.ofMillis(1))).isNull();
    FutureTask<Event> taker = start(() -> space.take(new Event(), LONG));
    awaitWaiters(space, 1);
    space.write(order(1));

    assertThat(taker.get()).isEqualTo(order(1));
    assertGone(space);
  }

  @Test
  void shouldWakeForWhatMeetsTheConditionsOnly() throws Exception {
    Event cheap = new Template("id", null).atMost("price", 10);
    assertThat(space.take(cheap, Duration.ofMillis(1))).isNull();
    FutureTask<Event> taker = start(() -> space.take(cheap, LONG));
    FutureTask<Event> reader = start(() -> space.read(cheap, LONG));
    awaitWaiters(space, 2);
    long wakeUps = space.waiters.wakeUps();
    long startNs = System.nanoTime();
    for (int i = 0; i < 1_000; i++) {
      space.write(order(i).add("price", 11));
      space.take(order(i));
    }
    assertNotWokenBut(0, space, wakeUps, startNs);
    Event asked = order(1).add("price", 9);
    space.write(asked);
    assertThat(taker.get()).isEqualTo(asked);

    space.write(asked);
    assertThat(reader.get()).isEqualTo(asked);
    assertGone(space);
  }

  @Test
  void shouldBeToldWhenThereIsNoRoomForAnotherSubscription() throws Exception {
    EventSpace crowded = EventSpace.create(SMALL.withMaxSubscriptions(1));
    crowded.subscribe(order(0));
    FutureTask<Event> taker = start(() -> crowded.take(order(1), LONG));
    awaitWaiters(crowded, 1);
    crowded.write(order(1));

    assertThat(taker.get()).isEqualTo(order(1));
    assertThat(crowded.stats().subscriptions()).isEqualTo(1);
  }

  @Test
  void shouldBeToldWhenAClaimIsGivenBack() throws Exception {
    space.write(order(1));
    try (Transaction transaction = space.newTransaction()) {
      transaction.begin();
      assertThat(transaction.poll(order(1), new Event())).isTrue();
      FutureTask<Event> taker = start(() -> space.take(order(1), LONG));
      awaitWaiters(space, 1);
      transaction.rollback();
      assertThat(taker.get()).isEqualTo(order(1));
    }
  }

  @Test
  void shouldSeeAnEventWhoseClaimWasEndedBySomebodyElse() throws Exception {
    space.write(order(1));
    try (Transaction idle = space.newTransaction()) {
      idle.begin();
      idle.test(new Event("lock", 1));
      assertThat(idle.poll(order(1), new Event())).isTrue();
      FutureTask<Event> taker = start(() -> space.take(order(1), LONG));
      awaitWaiters(space, 1);

      // aborts the idle one, which does not know yet and so tells nobody
      space.write(new Event("lock", 1));
      assertThat(taker.get()).isEqualTo(order(1));
      assertThat(idle.commit()).isFalse();
    }
  }

  @Test
  void shouldSeeAnEventWhenAnErrorHasCutOffTheTelling() throws Exception {
    boolean[] isCutOff = {false};
    Thread writer = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = writer.getUncaughtExceptionHandler();
    Template odd =
        new Template("id", 1)
            .matchingLong(
                "price",
                price -> {
                  if (Thread.currentThread() == writer && !isCutOff[0]) {
                    isCutOff[0] = true;
                    throw new StackOverflowError("as if");
                  }
                  return true;
                });
    FutureTask<Event> taker = start(() -> space.take(odd, LONG));
    awaitWaiters(space, 1);
    writer.setUncaughtExceptionHandler((thread, thrown) -> {});
    try {
      space.write(order(1).add("price", 1));
    } finally {
      writer.setUncaughtExceptionHandler(before);
    }
    assertThat(isCutOff).containsExactly(true);
    assertThat(taker.get()).isNotNull();
  }

  @Test
  void shouldLoseNoEventWhenTheStackOverflowsAnywhere() throws Exception {
    FutureTask<int[]> run = new FutureTask<>(this::overflowAtManyDepths);
    Thread thread = new Thread(null, run, "deep", 256 << 10);
    thread.start();
    int[] outcomes = run.get();
    assertThat(outcomes[0]).as("taken").isPositive();
    assertThat(outcomes[1]).as("overflown").isPositive();
    assertThat(space.take(order(-1), Duration.ZERO)).isNull();
    assertGone(space);
  }

  /** From a depth at which it overflows, one frame less each time, until there is room enough. */
  private int[] overflowAtManyDepths() throws InterruptedException {
    int depth = deepest(0);
    while (!overflowsAt(depth)) {
      depth *= 2; // what is compiled meanwhile takes less
    }
    int[] outcomes = {0, 1};
    for (; outcomes[0] < 100 && depth > 0; depth--) {
      outcomes[overflowsAt(depth) ? 1 : 0]++;
    }
    return outcomes;
  }

  private boolean overflowsAt(int depth) throws InterruptedException {
    boolean[] hasLooked = {false};
    Event template =
        new Template("id", 1)
            .matchingLong(
                "price",
                price -> {
                  boolean isSecond = hasLooked[0];
                  hasLooked[0] = true;
                  return isSecond;
                });
    space.write(order(1).add("price", 1));
    boolean isTaken = false;
    boolean isOverflown = false;
    try {
      isTaken = takeAt(depth, template) != null;
    } catch (StackOverflowError overflow) {
      isOverflown = true;
    }
    assertThat(space.take(order(1)) == null).as("taken at depth " + depth).isEqualTo(isTaken);
    return isOverflown;
  }

  private Event takeAt(int depth, Event template) throws InterruptedException {
    return depth == 0 ? space.take(template, Duration.ZERO) : takeAt(depth - 1, template);
  }

  private static int deepest(int depth) {
    try {
      return deepest(depth + 1);
    } catch (StackOverflowError overflow) {
      return depth;
    }
  }

  @Test
  void shouldLeaveNobodyAsleepWhenManyWaitForFewEvents() throws Exception {
    List<FutureTask<Integer>> takers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      takers.add(
          start(
              () -> {
                int count = 0;
                while (space.take(new Event("id", null), LONG).getLong("id") >= 0) {
                  count++;
                }
                return count;
              }));
    }
    for (int i = 0; i < 2_000; i++) {
      int id = i;
      while (space.stats().events() > 32) {
        Thread.onSpinWait();
      }
      space.transact(
          transaction -> {
            transaction.write(order(id));
            if (id % 3 == 0) {
              transaction.poll(new Event("id", null), new Event());
              transaction.write(order(id));
            }
          });
    }
    for (int i = 0; i < takers.size(); i++) {
      space.write(order(-1));
    }
    for (FutureTask<Integer> taker : takers) {
      taker.get();
    }
    assertThat(space.stats().events()).isZero();
    assertGone(space);
  }

  @Test
  void shouldNotWakeUpWhenNothingHappens() throws Exception {
    List<FutureTask<Event>> takers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int id = i;
      takers.add(start(() -> space.take(order(id), LONG)));
    }
    awaitWaiters(space, 200);
    long wakeUps = space.waiters.wakeUps();
    long startNs = System.nanoTime();
    assertThat(space.take(order(-1), Duration.ofMillis(1_200))).isNull();
    for (int i = 0; i < 100; i++) {
      space.write(order(1_000));
      space.take(order(1_000));
    }
    // the one above, and who goes on sweeping after it
    assertNotWokenBut(2, space, wakeUps, startNs);
    for (int i = 0; i < 200; i++) {
      space.write(order(i).add("for", i));
      assertThat(takers.get(i).get().getLong("for")).isEqualTo(i);
    }
    assertGone(space);
  }

  @Test
  void shouldEndWhenItsThreadIsInterruptedWhateverItWaitsFor() {
    for (Event template : List.of(new Event(), order(1), new Template("id", null))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> space.read(template, LONG)).isInstanceOf(InterruptedException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    assertGone(space);
  }

  @Test
  void shouldReadWithoutTakingWhenItHasWaited() throws Exception {
    List<FutureTask<Event>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(start(() -> space.read(order(1), LONG)));
    }
    awaitWaiters(space, 4);
    space.write(order(1));
    for (FutureTask<Event> reader : readers) {
      assertThat(reader.get()).isEqualTo(order(1));
    }
    assertThat(space.stats().events()).isEqualTo(1);
    assertThat(space.read(order(2), Duration.ZERO)).isNull();
  }

  private static void awaitWaiters(EventSpace space, int count) {
    while (space.waiters.count() < count) {
      Thread.onSpinWait();
    }
  }

  /** Besides those given, only one that sweeps may have woken up, each half second. */
  private static void assertNotWokenBut(
      long others, EventSpace space, long wakeUpsBefore, long startNs) {
    long sweeps = (System.nanoTime() - startNs) / Waiters.SWEEP_NS + 1;
    assertThat(space.waiters.wakeUps() - wakeUpsBefore).isLessThanOrEqualTo(others + sweeps);
  }

  private static void assertGone(EventSpace space) {
    while (space.waiters.count() > 0) {
      Thread.onSpinWait();
    }
    assertThat(space.stats().subscriptions()).isZero();
  }
}
