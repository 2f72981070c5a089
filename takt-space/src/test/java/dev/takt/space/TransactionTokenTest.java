package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Running transactions as other threads see them, and end them. */
class TransactionTokenTest {
  private static final Event X = new Event("type", "x");
  private static final Event Y = new Event("type", "y");
  private static final int ROUNDS = 20_000;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
  private final Transaction transaction = space.newTransaction();
  private final Event into = new Event();

  @AfterEach
  void close() {
    transaction.close();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private static void assertEnded(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Abort.class, abort -> assertThat(abort.reason()).isEqualTo(Abort.Reason.ENDED))
        .hasMessageContaining("ended by another thread");
  }

  @Test
  void shouldSayWhetherATransactionRuns() {
    assertThatThrownBy(transaction::token).isInstanceOf(IllegalStateException.class);
    transaction.begin();
    TransactionToken token = transaction.token();
    assertThat(token.isRunning()).isTrue();
    transaction.write(X);
    assertThat(transaction.commit()).isTrue();
    assertThat(token.isRunning()).isFalse();
    assertThat(token.end()).isFalse();
    assertThat(space.test(X)).isTrue();
    transaction.begin();
    TransactionToken undone = transaction.token();
    transaction.rollback();
    assertThat(undone.isRunning()).isFalse();
    assertThat(undone.end()).isFalse();
  }

  @Test
  void shouldReleaseClaimsAtOnceWhenAnIdleTransactionIsEnded() {
    space.write(X);
    transaction.begin(1_000_000, 0);
    assertThat(transaction.take(X, into)).isTrue();
    transaction.write(Y);
    TransactionToken token = transaction.token();
    assertThat(space.poll(X, into)).isFalse();
    assertThat(token.end()).isTrue();
    assertThat(token.end()).isFalse();
    assertThat(token.isRunning()).isFalse();
    assertThat(space.poll(X, into)).isTrue();
    assertEnded(() -> transaction.write(Y));
    transaction.rollback();
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldThrowAtTheCommitWhenTheTransactionWasEnded() {
    transaction.begin();
    transaction.write(X);
    assertThat(transaction.token().end()).isTrue();
    assertEnded(transaction::commit);
    assertThat(transaction.isRunning()).isFalse();
    assertThat(space.test(X)).isFalse();
    transaction.begin();
    assertThat(transaction.token().end()).isTrue();
    assertEnded(transaction::commit);
    transaction.begin();
    transaction.write(X);
    assertThat(transaction.commit()).isTrue();
  }

  @Test
  void shouldNotTryAgainWhatWasEnded() {
    AtomicInteger runs = new AtomicInteger();
    assertEnded(
        () ->
            space.transact(
                tx -> {
                  runs.incrementAndGet();
                  tx.write(X);
                  ((Transaction) tx).token().end();
                }));
    assertEnded(
        () ->
            space.transact(
                tx -> {
                  runs.incrementAndGet();
                  ((Transaction) tx).token().end();
                  tx.test(X);
                }));
    assertThat(runs).hasValue(2);
    assertThat(space.test(X)).isFalse();
  }

  @Test
  void shouldNotTouchALaterRunWithATokenOfAnEarlierOne() {
    transaction.begin();
    TransactionToken earlier = transaction.token();
    transaction.commit();
    transaction.begin();
    TransactionToken later = transaction.token();
    transaction.write(X);
    assertThat(earlier.isRunning()).isFalse();
    assertThat(earlier.end()).isFalse();
    assertThat(later.isRunning()).isTrue();
    assertThat(transaction.commit()).isTrue();

    // the next one has the same descriptor
    transaction.close();
    try (Transaction next = space.newTransaction()) {
      next.begin();
      assertThat(later.end()).isFalse();
      next.write(Y);
      assertThat(next.commit()).isTrue();
    }
    assertThat(space.count(new Event())).isEqualTo(2);
  }

  @Test
  void shouldTellAThreadThatWaitsForWhatAnIdleTransactionHasTaken() throws InterruptedException {
    space.write(X);
    transaction.begin();
    assertThat(transaction.take(X, into)).isTrue();
    AtomicReference<Event> taken = new AtomicReference<>();
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    taken.set(space.take(X, Duration.ofDays(1)));
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    while (space.waiters.count() == 0) {
      Thread.onSpinWait();
    }
    assertThat(transaction.token().end()).isTrue();
    waiter.join();
    assertThat(taken.get()).isEqualTo(X);
  }

  @Test
  void shouldTellSubscribersOfWhatAnIdleTransactionHasTaken() {
    AtomicInteger given = new AtomicInteger();
    space.subscribe(
        X,
        new Subscriber() {
          @Override
          public void onMatch(Handle handle) {}

          @Override
          public void onGivenBack(Handle handle) {
            given.incrementAndGet();
          }
        });
    space.write(X);
    transaction.begin();
    assertThat(transaction.take(X, into)).isTrue();
    assertThat(transaction.token().end()).isTrue();
    assertThat(given).hasValue(1);
  }

  static Stream<Arguments> bodies() {
    return Stream.of(
        body("nothing", tx -> {}),
        body("a write", tx -> tx.write(Y)),
        body("a take", tx -> tx.take(X)),
        body("a look", tx -> tx.test(X)),
        body(
            "a take and a write",
            tx -> {
              tx.take(X);
              tx.write(Y);
            }));
  }

  private static Arguments body(String name, Consumer<Transaction> body) {
    return Arguments.of(name, body);
  }

  /** The other thread asks for the end while this one commits. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void shouldEitherCommitOrBeEnded(String name, Consumer<Transaction> body)
      throws InterruptedException {
    AtomicInteger phase = new AtomicInteger();
    AtomicReference<TransactionToken> token = new AtomicReference<>();
    AtomicBoolean ended = new AtomicBoolean();
    Thread ender =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int i = 0; i < ROUNDS; i++) {
                    await(phase, 2 * i + 1);
                    ended.set(token.get().end());
                    phase.set(2 * i + 2);
                  }
                });
    int commits = 0;
    for (int i = 0; i < ROUNDS; i++) {
      space.write(X);
      transaction.begin();
      body.accept(transaction);
      token.set(transaction.token());
      phase.set(2 * i + 1);
      for (int spin = i % 128; spin > 0; spin--) {
        Thread.onSpinWait();
      }
      boolean committed;
      try {
        committed = transaction.commit();
      } catch (Abort abort) {
        assertThat(abort.reason()).isEqualTo(Abort.Reason.ENDED);
        committed = false;
      }
      await(phase, 2 * i + 2);
      assertThat(ended.get()).as("ended in round %d", i).isEqualTo(!committed);
      assertThat(token.get().isRunning()).isFalse();
      boolean takes = name.contains("take");
      assertThat(space.poll(X, into)).isEqualTo(!(takes && committed));
      assertThat(space.poll(Y, into)).isEqualTo(name.contains("write") && committed);
      commits += committed ? 1 : 0;
    }
    ender.join();
    System.out.printf("%s: %d of %d committed%n", name, commits, ROUNDS);
  }

  private static void await(AtomicInteger phase, int wanted) {
    for (int look = 1; phase.get() != wanted; look++) {
      if (look % 1_000 == 0) {
        Thread.yield();
      }
      Thread.onSpinWait();
    }
  }
}
