package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations alone, while as many transactions are open as there can be. */
class OpenTransactionsTest {
  private static final int OPEN = 3;
  private static final Event X = new Event("x", 1);

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withMaxTransactions(OPEN));
  private final List<Transaction> open = new ArrayList<>();

  @BeforeEach
  void openAll() {
    for (int i = 0; i < OPEN; i++) {
      Transaction transaction = space.newTransaction();
      transaction.begin();
      transaction.write(new Event("open", i));
      open.add(transaction);
    }
  }

  @AfterEach
  void closeAll() {
    open.forEach(Transaction::close);
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  @Test
  void shouldDoEveryOperationOfTheSpaceWhenAllTransactionsAreOpen() throws Exception {
    Event into = new Event();
    List<Event> told = new ArrayList<>();
    Handle handle = space.subscribe(X, notified -> told.add(notified.template()));
    for (int i = 0; i < 6; i++) {
      space.write(X);
    }
    assertThat(told).hasSize(6);
    assertThat(space.count(X)).isEqualTo(6);
    assertThat(space.test(X)).isTrue();
    assertThat(space.read(X, into)).isTrue();
    assertThat(space.read(X, Duration.ZERO)).isNotNull();
    assertThat(space.take(X)).isNotNull();
    assertThat(space.poll(X, into)).isTrue();
    assertThat(space.take(X, Duration.ZERO)).isNotNull();
    assertThat(handle.nextNow(into)).isTrue();
    assertThat(space.takeAll(X, 8, event -> {})).isEqualTo(2);
    assertThat(space.take(X)).isNull();
    space.unsubscribe(handle);
  }

  @Test
  void shouldGiveBackWhatTheSinkHasNotGotWhenAllTransactionsAreOpen() {
    space.write(X);
    space.write(X);
    assertThatThrownBy(
            () ->
                space.takeAll(
                    X,
                    8,
                    event -> {
                      throw new IllegalStateException("sink");
                    }))
        .hasMessage("sink")
        .hasNoSuppressedExceptions();
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldDoDirectOperationsOfOpenTransactions() {
    Event into = new Event();
    for (Transaction transaction : open) {
      transaction.writeNow(X);
      assertThat(transaction.testNow(X)).isTrue();
      assertThat(transaction.takeNow(X, into)).isTrue();
      assertThat(transaction.pollNow(X, into)).isFalse();
    }
  }

  @Test
  void shouldRefuseAnotherTransaction() {
    assertThatThrownBy(space::newTransaction)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("limit=" + OPEN, "close", "SpaceSettings.maxTransactions");
    assertThatThrownBy(() -> space.transact(transaction -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("limit=" + OPEN);
    open.removeLast().close();
    assertThat(space.transact(transaction -> transaction.write(X))).isTrue();
  }

  /** Operations that stand still are here those whose predicate begins the next one. */
  @Test
  void shouldRefuseAnOperationAfterAWhileWhenOthersBeyondTheLimitStandStill() {
    space.write(X);
    int[] depth = new int[1];
    Template nested = new Template();
    nested.matchingLong(
        "x",
        value -> {
          depth[0]++;
          return space.test(nested);
        });
    assertThatThrownBy(() -> space.test(nested))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "limit=" + OPEN, "16 operations", "100 ms", "raise SpaceSettings.maxTransactions");
    assertThat(depth).containsExactly(TransactionTable.RESERVE);
    assertThat(space.take(X)).as("what was refused has left nothing").isNotNull();
  }
}
