package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two transactions, advanced by turns on one thread: every conflict is in the order that the test
 * says.
 */
class TransactionTest {
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withPatience(10).withMaxRetries(1));
  private final Transaction one = space.newTransaction();
  private final Transaction two = space.newTransaction();
  private final Event into = new Event();

  private static final Event X = new Event("x", 1);
  private static final Event Y = new Event("y", 1);

  @AfterEach
  void closeTransactions() {
    one.close();
    two.close();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  @Test
  void shouldHideWritesUntilTheCommit() {
    one.begin();
    one.write(X);

    assertThat(space.test(X)).isFalse();
    assertThat(one.test(X)).isTrue();
    assertThat(one.commit()).isTrue();
    assertThat(space.test(X)).isTrue();
  }

  @Test
  void shouldLeaveNoTraceWhenRolledBack() {
    space.write(X);
    one.begin();
    one.write(Y);
    assertThat(one.take(X, into)).isTrue();
    one.rollback();

    assertThat(space.count(X)).isEqualTo(1);
    assertThat(space.count(Y)).isZero();
  }

  @Test
  void shouldTakeBackItsOwnWrite() {
    one.begin();
    one.write(X);
    one.write(X);
    assertThat(one.take(X, into)).isTrue();
    assertThat(one.commit()).isTrue();

    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldNotFindWhatItHasTaken() {
    space.write(X);
    one.begin();

    assertThat(one.take(X, into)).isTrue();
    assertThat(one.test(X)).isFalse();
    assertThat(one.take(X, into)).isFalse();
    assertThat(one.commit()).isTrue();
  }

  @Test
  void shouldPassOverAnEventThatAnotherHasClaimed() {
    space.write(new Event("x", 1).add("id", 1));
    space.write(new Event("x", 1).add("id", 2));
    one.begin();
    two.begin();
    assertThat(one.take(X, into)).isTrue();

    assertThat(two.take(X, into)).isTrue();
    assertThat(into.getLong("id")).isEqualTo(2);
    assertThat(one.commit()).isTrue();
    assertThat(two.commit()).isTrue();
  }

  @Test
  void shouldLetTheHigherPriorityHaveTheOnlyMatch() {
    space.write(X);
    one.begin(1, 0);
    two.begin(2, 0);
    assertThat(one.take(X, into)).isTrue();

    assertThat(two.take(X, into)).isTrue();
    assertThat(two.commit()).isTrue();
    assertThat(one.commit()).isFalse();
    assertThat(space.count(X)).isZero();
  }

  @Test
  void shouldGiveTheLowerPriorityTheMatchOfOneThatStandsStill() {
    space.write(X);
    one.begin(2, 0);
    two.begin(1, 0);
    assertThat(one.take(X, into)).isTrue();

    assertThat(two.take(X, into)).isTrue();
    assertThat(two.commit()).isTrue();
    assertThatThrownBy(() -> one.write(Y))
        .isInstanceOf(Abort.class)
        .hasMessageContaining("conflict");
    one.rollback();
  }

  @Test
  void shouldFindNothingByPollingWhereTheOnlyMatchIsClaimed() {
    space.write(X);
    one.begin();
    two.begin(9, 0);
    assertThat(one.take(X, into)).isTrue();

    assertThat(two.poll(X, into)).isFalse();
    assertThat(two.commit()).isTrue();
    assertThat(one.commit()).isTrue();
  }

  @Test
  void shouldNotCommitBothWhenEachSawTheOthersWriteAbsent() {
    one.begin(1, 0);
    two.begin(1, 0);
    assertThat(one.test(X)).isFalse();
    assertThat(two.test(Y)).isFalse();
    one.write(Y);
    two.write(X);

    assertThat(one.commit() & two.commit()).isFalse();
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  @Test
  void shouldNotCommitBothWhenEachTakesWhatTheOtherSaw() {
    space.write(X);
    space.write(Y);
    one.begin(1, 0);
    two.begin(2, 0);
    assertThat(one.test(X)).isTrue();
    assertThat(two.test(Y)).isTrue();
    assertThat(two.take(X, into)).isTrue();
    assertThatThrownBy(() -> one.take(Y, into)).isInstanceOf(Abort.class);
    one.rollback();

    assertThat(two.commit()).isTrue();
  }

  @Test
  void shouldLetManySeeOneEvent() {
    space.write(X);
    one.begin();
    two.begin();

    assertThat(one.read(X, into)).isTrue();
    assertThat(two.test(X)).isTrue();
    assertThat(one.commit()).isTrue();
    assertThat(two.commit()).isTrue();
  }

  @Test
  void shouldKeepDirectOperationsWhenTheTransactionIsRolledBack() {
    space.write(X);
    one.begin();
    one.writeNow(Y);
    assertThat(one.takeNow(X, into)).isTrue();
    one.rollback();

    assertThat(space.test(Y)).isTrue();
    assertThat(space.test(X)).isFalse();
  }

  @Test
  void shouldNotFindByADirectOperationWhatItsOwnTransactionHasClaimed() {
    space.write(X);
    one.begin();
    assertThat(one.take(X, into)).isTrue();

    assertThat(one.takeNow(X, into)).isFalse();
    assertThat(one.commit()).isTrue();
  }

  @Test
  void shouldSeeAnEventThatAnotherHasOnlyClaimedByADirectLook() {
    space.write(X);
    one.begin();
    assertThat(one.take(X, into)).isTrue();

    assertThat(space.test(X)).isTrue();
    assertThat(space.read(X, into)).isTrue();
    one.rollback();
  }

  @Test
  void shouldRunTheBodyAgainAfterAConflict() {
    space.write(X);
    int[] runs = {0};

    boolean committed =
        space.transact(
            transaction -> {
              runs[0]++;
              assertThat(transaction.take(X, into)).isTrue();
              if (runs[0] == 1) {
                two.begin(5, 0);
                assertThat(two.take(X, into)).isTrue();
                two.rollback();
              }
            });

    assertThat(committed).isTrue();
    assertThat(runs[0]).isEqualTo(2);
    assertThat(space.stats().conflicts()).isEqualTo(1);
  }

  @Test
  void shouldNotBeRunningAnyMoreWhenItHasLost() {
    one.begin();
    assertThat(one.isRunning()).isTrue();
    assertThat(one.test(X)).isFalse();
    two.begin(1, 0);
    two.write(X);
    assertThat(two.commit()).isTrue();

    assertThat(one.isRunning()).as("has lost").isFalse();
    assertThat(one.isBegun()).as("has not ended").isTrue();
    assertThatThrownBy(() -> one.write(Y)).isInstanceOf(Abort.class);
    assertThat(one.commit()).isFalse();
    assertThat(one.isBegun()).isFalse();
  }
}
