package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.client.link.LinkSettings;
import dev.takt.space.Abort;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client holds of the transactions of the space. */
class ClientTransactionsTest {
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withMaxTransactions(2));
  private final ClientTransactions transactions =
      new ClientTransactions(space, ClientLimits.DEFAULTS.withMaxTransactionNs(100));

  @Test
  void shouldGiveBackTheLastOneWhenItsTimeWouldBeOver() {
    transactions.begin(0, 0, 0);
    transactions.begin(0, 0, 50);
    assertThat(transactions.commit(2)).isTrue();
    assertThat(transactions.commit(1)).isTrue();
    assertThat(transactions.areAny()).isTrue();
    assertThat(transactions.nextNs(Long.MAX_VALUE)).isEqualTo(150);
    transactions.advance(149);
    try (Transaction _ = space.newTransaction()) {
      assertThatThrownBy(space::newTransaction).isInstanceOf(IllegalStateException.class);
      transactions.advance(150);
      space.newTransaction().close();
    }
    assertThat(transactions.areAny()).isFalse();
    assertThat(transactions.nextNs(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldUseTheLastOneAgain() {
    try (Transaction _ = space.newTransaction()) {
      for (int i = 0; i < 10; i++) {
        assertThat(transactions.commit(transactions.begin(0, 0, i))).isTrue();
      }
      transactions.close();
      space.newTransaction().close();
    }
  }

  @Test
  void shouldSayWhatCanBeChangedWhenTheSpaceHasNoneLeft() {
    transactions.begin(0, 0, 0);
    transactions.begin(0, 0, 0);
    assertThatThrownBy(() -> transactions.begin(0, 0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("limit=2", "sessions and transactions", "--tokens");
    transactions.close();
  }

  @Test
  void shouldHaveRoomForTheTransactionsOfAllClientsOfAHost() {
    assertThat(HostSettings.of(Path.of("host")).space().maxTransactions())
        .isGreaterThan(LinkSettings.DEFAULTS.maxLinks() * ClientLimits.DEFAULTS.maxTransactions());
  }

  /** Two that were tried again at once would both have the rank of a loss that one of them had. */
  @Test
  void shouldCountALossForOneTransactionAtATime() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8));
    Event x = new Event("x", 1);
    ConflictDeferral deferral = new ConflictDeferral(space);
    try (Transaction other = space.newTransaction(); // goes first where ranks are the same
        ClientTransactions transactions = new ClientTransactions(space, ClientLimits.DEFAULTS)) {
      space.write(x);
      for (int losses = 0; losses < 2; losses++) {
        lose(space, transactions, losses);
      }
      int first = transactions.begin(0, 1, 0);
      int second = transactions.begin(0, 1, 0);
      int third = transactions.begin(0, 1, 0);
      other.begin();
      assertThat(other.take(x)).isNotNull();
      deferral.begin();
      assertThatThrownBy(() -> transactions.get(third).take(x))
          .isInstanceOf(ConflictDeferral.Deferred.class);
      deferral.clear();
      assertThat(transactions.get(second).take(x)).isNotNull();
      assertThat(other.commit()).isFalse();
      transactions.rollback(second);

      other.begin();
      assertThat(other.take(x)).isNotNull();
      assertThat(transactions.get(first).take(x)).isNotNull();
      assertThat(other.commit()).isFalse();
    } finally {
      deferral.end();
    }
  }

  /** Loses a transaction that was tried before to another user of the space. */
  private static void lose(EventSpace space, ClientTransactions transactions, int retries) {
    Event seen = new Event("seen", retries);
    int number = transactions.begin(0, retries, 0);
    assertThat(transactions.get(number).test(seen)).isFalse();
    try (Transaction other = space.newTransaction()) {
      other.begin(1, 0);
      other.write(seen);
      assertThat(other.commit()).isTrue();
    }
    assertThat(transactions.commit(number)).isFalse();
  }

  @Test
  void shouldKeepTheKindAndTheBeginningOfARefusal() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8));
    String event = "x".repeat(100_000);
    List<Throwable> refusals =
        List.of(
            new SecurityException("no right to write " + event),
            new IllegalArgumentException("too large " + event),
            Abort.of(Abort.Reason.SPACE_FULL, "no room for " + event));
    try (ClientTransactions transactions = new ClientTransactions(space, ClientLimits.DEFAULTS)) {
      for (Throwable each : refusals) {
        int number = transactions.begin(0, 0, 0);
        transactions.fail(number, each);
        Throwable kept = catchThrowable(() -> transactions.get(number));
        assertThat(kept).isInstanceOf(each.getClass());
        assertThat(each.getMessage()).startsWith(kept.getMessage());
        assertThat(kept.getMessage()).hasSizeBetween(200, 300);
      }
    }
  }
}
