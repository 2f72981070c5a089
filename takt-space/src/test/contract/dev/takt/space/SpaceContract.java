package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link Space} does, wherever it is; each kind of space has a subclass. */
@Timeout(60)
public abstract class SpaceContract {
  private static final SpaceSettings SMALL =
      SpaceSettings.DEFAULTS
          .withCapacity(64)
          .withMaxEventBytes(256)
          .withMaxOperations(16)
          .withMaxRetries(1);

  private static final Event X = new Event("x", 1);
  private static final Event Y = new Event("y", 1);

  private final Event into = new Event();

  /** Returns the space with these settings, which the test has to itself; the same each time. */
  protected abstract Space space(SpaceSettings settings);

  private Space space() {
    return space(SMALL);
  }

  private static Event order(long id, String side) {
    return new Event("id", id).add("side", side);
  }

  private List<Long> takeIds(Event template) {
    List<Long> ids = new ArrayList<>();
    for (Event event = space().take(template); event != null; event = space().take(template)) {
      ids.add(event.getLong("id"));
    }
    return ids;
  }

  /** Starts a thread of another user of the space. */
  private static <T> FutureTask<T> start(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  // ---- single operations

  @Test
  void shouldTakeTheOldestOfSeveralMatches() {
    for (long id = 0; id < 5; id++) {
      space().write(order(id, id % 2 == 0 ? "buy" : "sell"));
    }

    assertThat(takeIds(new Event("side", "buy"))).containsExactly(0L, 2L, 4L);
    assertThat(takeIds(new Event())).containsExactly(1L, 3L);
  }

  @Test
  void shouldAskForTheKeyWhenTheTemplateHasAWildcard() {
    space().write(new Event("a", 1));
    space().write(new Event("b", 1));

    assertThat(space().count(new Event("a", null))).isEqualTo(1);
    assertThat(space().take(new Event("c", null))).isNull();
    assertThat(space().take(new Event("b", null)).keys()).containsExactly("b");
  }

  @Test
  void shouldLookAtRangesAmongTheEventsOfTheOtherKeys() {
    for (long id = 0; id < 10; id++) {
      space().write(order(id, "buy").add("price", (double) (10 - id)));
    }

    Template cheap = new Template("side", "buy").atMost("price", 4.0);

    assertThat(space().count(cheap)).isEqualTo(4);
    assertThat(takeIds(cheap)).containsExactly(6L, 7L, 8L, 9L);
    Template later = new Template().between("id", 2, 7).not("id", 2);
    assertThat(takeIds(later)).containsExactly(3L, 4L, 5L);
  }

  @Test
  void shouldLeaveAnEventThatIsRead() {
    space().write(order(1, "buy"));

    assertThat(space().read(new Event("id", 1), into)).isTrue();
    assertThat(into).isEqualTo(order(1, "buy"));
    assertThat(space().read(new Event("id", 1))).isEqualTo(order(1, "buy"));
    assertThat(space().read(new Event("id", 2))).isNull();
    assertThat(space().count(new Event("id", 1))).isEqualTo(1);
  }

  @Test
  void shouldReturnACopyOfWhatATransactionReads() {
    space().write(order(1, "buy"));

    space()
        .transact(
            transaction -> {
              transaction.write(order(2, "sell"));
              assertThat(transaction.read(new Event("id", 1))).isEqualTo(order(1, "buy"));
              assertThat(transaction.read(new Event("id", 2))).isEqualTo(order(2, "sell"));
              assertThat(transaction.read(new Event("id", 3))).isNull();
            });
  }

  @Test
  void shouldLeaveTheCallersEventAsItIsWhenThereIsNoMatch() {
    into.add("mine", 1);

    assertThat(space().take(X, into)).isFalse();
    assertThat(space().poll(X, into)).isFalse();
    assertThat(space().read(X, into)).isFalse();
    assertThat(into).isEqualTo(new Event("mine", 1));
  }

  @Test
  void shouldCopyOnWriteAndOnTake() {
    Event event = order(1, "buy").add("curve", new double[] {1, 2});
    space().write(event);
    event.add("id", 2);

    Event taken = space().take(new Event("id", 1));
    ((double[]) taken.get("curve"))[0] = 99;

    assertThat((double[]) taken.get("curve")).containsExactly(1, 2);
  }

  @Test
  void shouldReturnWhatIsWrittenValueByValue() {
    Event event =
        new Event("int", Integer.MIN_VALUE)
            .add("long", Long.MAX_VALUE)
            .add("double", -0.0)
            .add("nan", Double.NaN)
            .add("boolean", true)
            .add("text", "Gruß \ud83d\ude00")
            .add("empty", "")
            .add("letter", 'x')
            .add("bytes", new byte[] {-1, 2, 3})
            .add("booleans", new boolean[] {true, false, true})
            .add("texts", new String[] {"a", null, ""});
    space().write(event);

    assertThat(space().take(event, into)).isTrue();
    assertThat(into).isEqualTo(event);
    assertThat(into.keys()).isEqualTo(event.keys());
  }

  @Test
  void shouldTakeAllInOrderAndUpToTheLimit() {
    for (long id = 0; id < 5; id++) {
      space().write(order(id, "buy"));
    }
    List<Long> ids = new ArrayList<>();

    assertThat(space().takeAll(new Event("side", "buy"), 3, event -> ids.add(event.getLong("id"))))
        .isEqualTo(3);
    assertThat(ids).containsExactly(0L, 1L, 2L);
    assertThat(space().count(new Event())).isEqualTo(2);
    assertThatThrownBy(() -> space().takeAll(X, 17, event -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max=17 (expected: 0 to 16");
  }

  @Test
  void shouldGiveBackWhatASinkHasNotGotWhenItThrows() {
    for (long id = 0; id < 5; id++) {
      space().write(order(id, "buy"));
    }
    IllegalStateException thrown = new IllegalStateException("the second");
    assertThatThrownBy(
            () ->
                space()
                    .takeAll(
                        new Event("id", null),
                        5,
                        event -> {
                          if (event.getLong("id") == 1) {
                            throw thrown;
                          }
                        }))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
    assertThat(takeIds(new Event("id", null))).containsExactly(2L, 3L, 4L);
  }

  @Test
  void shouldGiveAllMatchesTheOldestFirstAndLeaveThem() {
    for (long id = 5; id > 0; id--) {
      space().write(order(id, "buy"));
      space().write(order(id, "sell"));
    }
    List<Long> ids = new ArrayList<>();

    assertThat(space().forEach(new Event("side", "buy"), event -> ids.add(event.getLong("id"))))
        .isEqualTo(5);
    assertThat(ids).containsExactly(5L, 4L, 3L, 2L, 1L);
    assertThat(space().count(new Event())).isEqualTo(10);
    assertThat(space().forEach(new Event("side", "none"), event -> {})).isZero();
  }

  @Test
  void shouldRefuseWhatDoesNotFitAndLoseNothing() {
    for (long id = 0; id < 64; id++) {
      space().write(order(id, "buy"));
    }

    assertThatThrownBy(() -> space().write(order(64, "buy")))
        .isInstanceOfSatisfying(
            Abort.class, abort -> assertThat(abort.reason()).isEqualTo(Abort.Reason.SPACE_FULL))
        .hasMessageContaining("capacity=64")
        .hasMessageContaining("SpaceSettings.capacity");
    assertThat(space().offer(order(64, "buy"))).isFalse();
    assertThat(space().count(new Event())).isEqualTo(64);

    space().take(new Event("id", 10));
    assertThat(space().offer(order(64, "buy"))).isTrue();
    assertThat(space().count(new Event("side", "buy"))).isEqualTo(64);
  }

  @Test
  void shouldRefuseMisuseAndGoOn() {
    assertThatThrownBy(() -> space().write(new Event("id", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> space().offer(new Event("id", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> space().write(new Event("big", new long[64])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxEventBytes");
    assertThatThrownBy(() -> space().write(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space().take(X, (Event) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> space().subscribe(new Event()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty template");
    assertThatThrownBy(() -> space().transact(-1, transaction -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("priority=-1");

    space().write(X);
    assertThat(space().test(X)).isTrue();
  }

  // ---- waiting

  @Test
  void shouldReturnNullFromABlockingTakeWhenTheTimeIsOver() throws InterruptedException {
    assertThat(space().take(X, Duration.ofMillis(1))).isNull();
    assertThat(space().read(X, Duration.ZERO)).isNull();
  }

  @Test
  void shouldReturnAtOnceWhenAMatchIsThere() throws InterruptedException {
    space().write(X);

    assertThat(space().read(X, Duration.ZERO)).isEqualTo(X);
    assertThat(space().take(X, Duration.ofSeconds(60))).isEqualTo(X);
    assertThat(space().test(X)).isFalse();
  }

  @Test
  void shouldReturnFromABlockingTakeWhenAMatchIsCommitted() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Space space = space();
    FutureTask<Event> taker =
        start(
            () -> {
              started.countDown();
              return space.take(new Event("id", 1), Duration.ofSeconds(60));
            });
    started.await();
    space.write(order(2, "sell"));
    space.write(order(1, "buy"));

    assertThat(taker.get()).isEqualTo(order(1, "buy"));
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  @Test
  void shouldEndABlockingTakeWhenItsThreadIsInterrupted() throws InterruptedException {
    Space space = space();
    FutureTask<Event> task = new FutureTask<>(() -> space.take(X, Duration.ofSeconds(60)));
    Thread taker = Thread.ofPlatform().daemon().start(task);
    taker.interrupt();
    taker.join();

    assertThatThrownBy(task::get).hasCauseInstanceOf(InterruptedException.class);
    space.write(X);
    assertThat(space.test(X)).as("nobody takes it any more").isTrue();
  }

  // ---- transactions

  @Test
  void shouldHideWritesAndTakesUntilTheCommit() {
    Space space = space();
    space.write(Y);
    boolean committed =
        space.transact(
            transaction -> {
              transaction.write(X);
              assertThat(transaction.take(Y, into)).isTrue();
              assertThat(transaction.test(X)).isTrue();
              assertThat(transaction.test(Y)).isFalse();
              assertThat(transaction.isRunning()).isTrue();
              assertThat(space.test(X)).isFalse();
              assertThat(space.test(Y)).isTrue();
            });

    assertThat(committed).isTrue();
    assertThat(space.test(X)).isTrue();
    assertThat(space.test(Y)).isFalse();
  }

  @Test
  void shouldReturnWhatTheBodyReturns() {
    space().write(X);

    Event taken = space().transact(3, transaction -> transaction.take(X));

    assertThat(taken).isEqualTo(X);
    assertThat(space().test(X)).isFalse();
  }

  @Test
  void shouldReturnFalseAndLeaveNoTraceWhenTheBodyAborts() {
    space().write(Y);

    boolean committed =
        space()
            .transact(
                transaction -> {
                  transaction.write(X);
                  transaction.take(Y);
                  transaction.abort();
                });

    assertThat(committed).isFalse();
    assertThat(space().count(X)).isZero();
    assertThat(space().count(Y)).isEqualTo(1);
  }

  @Test
  void shouldRollBackAndRethrowWhatTheBodyThrows() {
    IllegalArgumentException thrown = new IllegalArgumentException("from the body");
    assertThatThrownBy(
            () ->
                space()
                    .transact(
                        transaction -> {
                          transaction.write(X);
                          throw thrown;
                        }))
        .isSameAs(thrown);
    assertThat(space().count(X)).isZero();
  }

  @Test
  void shouldRunTheBodyAgainAfterAConflict() {
    Space space = space();
    space.write(X);
    int[] runs = {0};

    boolean committed =
        space.transact(
            transaction -> {
              runs[0]++;
              assertThat(transaction.test(X)).isEqualTo(runs[0] == 1);
              if (runs[0] == 1) {
                space.transact(5, other -> other.take(X));
              }
              assertThat(transaction.isRunning()).isEqualTo(runs[0] > 1);
              transaction.write(Y);
            });

    assertThat(committed).isTrue();
    assertThat(runs[0]).isEqualTo(2);
    assertThat(space.count(Y)).isEqualTo(1);
  }

  @Test
  void shouldAbortWhenTheBodyDoesTooMuch() {
    assertThatThrownBy(
            () ->
                space()
                    .transact(
                        transaction -> {
                          for (int i = 0; i < 17; i++) {
                            transaction.write(X);
                          }
                        }))
        .isInstanceOfSatisfying(
            Abort.class,
            abort -> assertThat(abort.reason()).isEqualTo(Abort.Reason.TOO_MANY_OPERATIONS))
        .hasMessageContaining("limit=16")
        .hasMessageContaining("maxOperations");
    assertThat(space().count(X)).isZero();
  }

  @Test
  void shouldGoOnAfterMisuseInTheBody() {
    boolean committed =
        space()
            .transact(
                transaction -> {
                  transaction.write(X);
                  assertThatThrownBy(() -> transaction.write(new Event("id", null)))
                      .isInstanceOf(IllegalArgumentException.class);
                });

    assertThat(committed).isTrue();
    assertThat(space().count(X)).isEqualTo(1);
  }

  @Test
  void shouldAnswerByAValueWhenTheSpaceIsFull() {
    for (long id = 0; id < 63; id++) {
      space().write(order(id, "buy"));
    }
    boolean committed =
        space()
            .transact(
                transaction -> {
                  assertThat(transaction.tryWrite(X)).isTrue();
                  assertThat(transaction.tryWrite(Y)).isFalse();
                });

    assertThat(committed).isTrue();
    assertThat(space().count(X)).isEqualTo(1);
    assertThat(space().count(Y)).isZero();
  }

  @Test
  void shouldPromiseNothingByPollAndPeekThatFindNothing() {
    Space space = space();
    int[] runs = {0};
    boolean committed =
        space.transact(
            transaction -> {
              runs[0]++;
              assertThat(transaction.poll(X, into)).isFalse();
              assertThat(transaction.peek(X, into)).isFalse();
              space.write(X);
              transaction.write(Y);
            });

    assertThat(committed).isTrue();
    assertThat(runs[0]).isEqualTo(1);
  }

  @Test
  void shouldSeeOwnWritesAndTakesWhenItLooksForAll() {
    for (long id = 1; id <= 2; id++) {
      space().write(order(id, "buy"));
    }
    List<Long> ids = new ArrayList<>();
    int given =
        space()
            .transact(
                0,
                transaction -> {
                  transaction.write(order(3, "buy"));
                  assertThat(transaction.take(new Event("id", 1), into)).isTrue();
                  return transaction.forEach(
                      new Event("side", "buy"),
                      event -> {
                        ids.add(event.getLong("id"));
                        transaction.write(order(event.getLong("id"), "sell"));
                      });
                });

    assertThat(given).isEqualTo(2);
    assertThat(ids).containsExactly(2L, 3L);
    assertThat(takeIds(new Event("side", "sell"))).containsExactly(2L, 3L);
  }

  @Test
  void shouldKeepDirectOperationsWhenTheBodyAborts() {
    space().write(X);
    boolean committed =
        space()
            .transact(
                transaction -> {
                  transaction.writeNow(Y);
                  assertThat(transaction.testNow(X)).isTrue();
                  assertThat(transaction.takeNow(X, into)).isTrue();
                  assertThat(transaction.pollNow(X, into)).isFalse();
                  transaction.abort();
                });

    assertThat(committed).isFalse();
    assertThat(space().test(Y)).isTrue();
    assertThat(space().test(X)).isFalse();
  }

  @Test
  void shouldLetOneTransactionOfManyHaveEachEvent() throws Exception {
    Space space = space();
    for (long id = 0; id < 32; id++) {
      space.write(order(id, "buy"));
    }
    List<FutureTask<Integer>> movers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      movers.add(
          start(
              () -> {
                int moved = 0;
                while (space.transact(0, SpaceContract::move)) {
                  moved++;
                }
                return moved;
              }));
    }
    int moved = 0;
    for (FutureTask<Integer> mover : movers) {
      moved += mover.get();
    }

    assertThat(moved).isEqualTo(32);
    assertThat(takeIds(new Event("side", "sell"))).hasSize(32).doesNotHaveDuplicates();
  }

  private static boolean move(SpaceTransaction transaction) {
    Event taken = transaction.take(new Event("side", "buy"));
    if (taken == null) {
      return false;
    }
    transaction.write(taken.add("side", "sell"));
    return true;
  }

  // ---- subscriptions

  @Test
  void shouldTellASubscriberOfMatchesAndNothingElse() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch toldOfOther = new CountDownLatch(1);
    space().subscribe(new Event("other", null), toldOfOther::countDown);
    SpaceHandle handle = space().subscribe(new Event("id", 1), told::countDown);
    space().write(order(1, "buy"));
    told.await();

    assertThat(toldOfOther.getCount()).isEqualTo(1);
    assertThat(handle.hasNextNow()).isTrue();
    assertThat(handle.next()).isEqualTo(order(1, "buy"));
    assertThat(handle.next()).isNull();
    assertThat(handle.hasNextNow()).isFalse();
  }

  @Test
  void shouldTakeTheMatchesOfAHandleInOrder() {
    SpaceHandle handle = space().subscribe(new Template("side", "buy").atLeast("id", 1));
    for (long id = 0; id < 3; id++) {
      space().write(order(id, "buy"));
    }

    assertThat(handle.template()).isEqualTo(new Template("side", "buy").atLeast("id", 1));
    assertThat(handle.next().getLong("id")).isEqualTo(1);
    assertThat(handle.next(into)).isTrue();
    assertThat(into).isEqualTo(order(2, "buy"));
    assertThat(handle.next(into)).isFalse();
    assertThat(into).as("when there is none").isEqualTo(order(2, "buy"));
  }

  @Test
  void shouldEndASubscriptionOnce() {
    SpaceHandle handle = space().subscribe(X);
    space().write(X);
    assertThat(handle.isSubscribed()).isTrue();

    space().unsubscribe(handle);

    assertThat(handle.isSubscribed()).isFalse();
    assertThat(handle.hasNextNow()).isFalse();
    assertThatThrownBy(handle::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unsubscribe");
    assertThatThrownBy(() -> space().unsubscribe(handle))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("unsubscribed twice");
    SpaceHandle foreign = EventSpace.create(SMALL).subscribe(X);
    assertThatThrownBy(() -> space().unsubscribe(foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another space");
    assertThat(space().test(X)).isTrue();
  }
}
