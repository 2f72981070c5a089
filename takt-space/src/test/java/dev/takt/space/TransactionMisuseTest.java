package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Misuse of a transaction is an error that says what to do, and leaves the transaction and the
 * space as they were.
 */
class TransactionMisuseTest {
  private static final Event GOOD = new Event("key", 1);

  /** Every operation that needs a running transaction. */
  enum Operation {
    WRITE(tx -> tx.write(GOOD)),
    TAKE(tx -> tx.take(GOOD)),
    TAKE_INTO(tx -> tx.take(GOOD, new Event())),
    POLL(tx -> tx.poll(GOOD, new Event())),
    READ(tx -> tx.read(GOOD, new Event())),
    TEST(tx -> tx.test(GOOD)),
    ABORT(Transaction::abort),
    COMMIT(Transaction::commit);

    private final Consumer<Transaction> action;

    Operation(Consumer<Transaction> action) {
      this.action = action;
    }
  }

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS
              .withCapacity(16)
              .withMaxTransactions(3)
              .withMaxOperations(4)
              .withMaxEventBytes(32));

  private final Transaction transaction = space.newTransaction();

  @AfterEach
  void shouldLeaveAnEmptySpaceThatWorks() {
    transaction.close();
    assertThat(space.take(new Event())).as("left over").isNull();
    space.write(GOOD);
    assertThat(space.take(GOOD)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOperationBeforeBegin(Operation operation) {
    assertThatThrownBy(() -> operation.action.accept(transaction))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("no transaction is running", "begin()");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOperationAfterCommit(Operation operation) {
    transaction.begin();
    assertThat(transaction.commit()).isTrue();
    assertThatThrownBy(() -> operation.action.accept(transaction))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin()");
    assertThat(transaction.isBegun()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOperationAfterRollback(Operation operation) {
    transaction.begin();
    transaction.rollback();
    assertThatThrownBy(() -> operation.action.accept(transaction))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOperationAfterClose(Operation operation) {
    transaction.close();
    assertThatThrownBy(() -> operation.action.accept(transaction))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("close()", "new one");
  }

  @Test
  void shouldRefuseBeginAndDirectOperationsAfterClose() {
    transaction.close();
    assertThatThrownBy(transaction::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("close()");
    assertThatThrownBy(() -> transaction.writeNow(GOOD)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> transaction.takeNow(GOOD, new Event()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> transaction.testNow(GOOD)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseToBeginTwiceAndGoOn() {
    transaction.begin();
    transaction.write(GOOD);
    assertThatThrownBy(transaction::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already running");
    assertThat(transaction.commit()).isTrue();
    assertThat(space.take(GOOD)).isNotNull();
  }

  @Test
  void shouldRefusePrioritiesOutOfRange() {
    assertThatThrownBy(() -> transaction.begin(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("priority=-1", "0 to 1000000");
    assertThatThrownBy(() -> transaction.begin(1_000_001, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("priority=1000001");
    assertThatThrownBy(() -> transaction.begin(0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retries=-1");
    assertThat(transaction.isBegun()).isFalse();
  }

  @Test
  void shouldDoNothingWhenEndedTwice() {
    transaction.begin();
    transaction.write(GOOD);
    transaction.rollback();
    transaction.rollback();
    transaction.close();
    transaction.close();
    assertThat(space.test(GOOD)).isFalse();
  }

  @Test
  void shouldRollBackWhenClosedWhileItRuns() {
    space.write(GOOD);
    transaction.begin();
    assertThat(transaction.take(GOOD)).isNotNull();
    transaction.write(new Event("other", 1));
    transaction.close();
    assertThat(space.take(GOOD)).isNotNull();
    assertThat(space.test(new Event("other", 1))).isFalse();
  }

  @Test
  void shouldKeepRunningAfterBadInput() {
    transaction.begin();
    transaction.write(GOOD);
    assertThatThrownBy(() -> transaction.write(new Event("key", null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> transaction.write(new Event("key", new long[10])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxEventBytes");
    assertThatThrownBy(() -> transaction.write(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> transaction.take(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> transaction.read(GOOD, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> transaction.take(GOOD, null)).isInstanceOf(NullPointerException.class);
    assertThat(transaction.commit()).isTrue();
    assertThat(space.take(GOOD)).isNotNull();
  }

  @Test
  void shouldAbortWithTheLimitWhenItDoesTooManyOperations() {
    for (Operation operation : new Operation[] {Operation.WRITE, Operation.TEST}) {
      transaction.begin();
      Abort abort =
          catchThrowableOfType(
              Abort.class,
              () -> {
                for (int i = 0; i <= 1000; i++) {
                  operation.action.accept(transaction);
                }
              });
      transaction.rollback();
      assertThat(abort).as("%s", operation).isNotNull();
      assertThat(abort.reason())
          .as("%s", operation)
          .isIn(Abort.Reason.TOO_MANY_OPERATIONS, Abort.Reason.SPACE_FULL);
    }
  }

  @Test
  void shouldNameLimitWhenThereAreTooManyTransactions() {
    List<Transaction> others = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                others.add(space.newTransaction());
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("limit=3", "close", "SpaceSettings.maxTransactions");
    assertThat(others).hasSize(2);
    others.forEach(Transaction::close);
  }

  @Test
  void shouldRefuseTheTransactionOfABodyThatHasEnded() {
    AtomicReference<Transaction> kept = new AtomicReference<>();
    space.transact(running -> kept.set((Transaction) running));

    assertThatThrownBy(kept.get()::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("transact()", "newTransaction()");
  }

  @Test
  void shouldSayWhatToDoWhenABodyEndsItsTransaction() {
    assertThatThrownBy(() -> space.transact(0, running -> ((Transaction) running).commit()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("body of transact()", "abort()", "newTransaction()");
    assertThat(space.transact(running -> running.test(GOOD))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOtherThreadsWhileItRunsAndGoOn(Operation operation) throws Exception {
    transaction.begin();
    transaction.write(GOOD);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread other =
        Thread.ofPlatform()
            .name("other")
            .start(() -> thrown.set(catchThrowable(() -> operation.action.accept(transaction))));
    other.join();

    if (operation == Operation.ABORT) { // touches nothing of the transaction
      assertThat(thrown.get()).isInstanceOf(Abort.class);
    } else {
      assertThat(thrown.get())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll(Thread.currentThread().getName(), "other", "token().end()");
    }
    assertThat(transaction.commit()).isTrue();
    assertThat(space.take(GOOD)).isNotNull();
  }

  @Test
  void shouldServeAnotherThreadBetweenTransactions() throws InterruptedException {
    transaction.begin();
    transaction.write(GOOD);
    assertThat(transaction.commit()).isTrue();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  transaction.begin();
                  transaction.take(GOOD);
                  transaction.commit();
                });
    other.join();
    assertThat(space.test(GOOD)).isFalse();
  }

  /** Whatever has settled them before: then they were forgotten, and their places lost. */
  @ParameterizedTest
  @ValueSource(strings = {"nothing", "stats", "take", "wait"})
  void shouldGiveThePlacesOfThreadsThatHaveEndedToOthers(String meanwhile)
      throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      Thread.ofPlatform()
          .start(
              () -> {
                Transaction left = space.newTransaction();
                left.begin();
                left.write(GOOD);
              })
          .join();
      switch (meanwhile) {
        case "stats" -> space.stats();
        case "take" -> assertThat(space.take(GOOD)).isNull();
        case "wait" -> assertThat(space.take(GOOD, Duration.ofMillis(300))).isNull();
        default -> {}
      }
    }

    try (Transaction next = space.newTransaction()) {
      next.begin();
      assertThat(next.commit()).isTrue();
    }
  }
}
