package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.link.LinkSettings;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.Refusal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import dev.takt.space.WaitClock;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a host does for clients of shared memory, all of which one thread serves, when what one asks
 * for is in conflict with a transaction that stands still: the test is that thread.
 */
@Timeout(60)
class LinkContentionTest extends LinkServing {
  private static final Event X = new Event("x", 1);
  private static final Event Y = new Event("y", 1);
  private static final long HOUR_NS = 3_600_000_000_000L;

  /** Stands still, so that no conflict is over because of its time, however slow the machine is. */
  private static final class StoppedClock implements WaitClock {
    private final long nowNs = System.nanoTime() + HOUR_NS;

    @Override
    public long nanoTime() {
      return nowNs;
    }

    @Override
    public void parkNanos(long durationNs) {
      throw new AssertionError("the thread of all links waits");
    }
  }

  @TempDir private Path temporary;
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024), new StoppedClock());
  private RawClient asking;
  private RawClient other;

  /** Goes before each client. */
  private Transaction still;

  @BeforeEach
  void open() throws IOException {
    folder = temporary.resolve("host");
    LinkSettings links = LinkSettings.DEFAULTS.withSizes(1 << 14, 1 << 10);
    server = LinkServer.open(space, folder, links, ClientLimits.DEFAULTS.withMaxPriority(1), 0);
    asking = greeted();
    other = greeted();
    still = space.newTransaction();
    still.begin(2, 0);
  }

  @AfterEach
  void close() throws IOException {
    still.close();
    asking.close();
    other.close();
    server.close();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  /** Has the other client ask several things, and the one in conflict gets no answer meanwhile. */
  private void shouldServeTheOtherOneOnly() throws IOException {
    for (int request = 1; request <= 20; request++) {
      other.ask(Operation.TEST, request, 0, Y);
      serveUntil(() -> has(other));
      assertThat(other.reader.request()).isEqualTo(request);
      assertThat(has(asking)).as("an answer in spite of the conflict").isFalse();
    }
    assertThat(still.isRunning()).isTrue();
  }

  private long answered() {
    serveUntil(() -> has(asking));
    assertThat(asking.reader.kind()).isEqualTo(MessageKind.ANSWER);
    return asking.reader.number();
  }

  @Test
  void shouldServeOthersUntilAnEventIsFreeThatATakeFinds() throws IOException {
    space.write(X);
    assertThat(still.take(X)).isNotNull();
    asking.ask(Operation.TAKE, 1, 0, X);
    shouldServeTheOtherOneOnly();
    still.rollback();
    assertThat(answered()).isEqualTo(1);
    assertThat(asking.reader.request()).isEqualTo(1);
    asking.received(1);
    serveUntil(() -> space.stats().events() == 0);
  }

  @Test
  void shouldWriteOnceWhenATransactionHasSeenThatThereIsNoSuchEvent() throws IOException {
    assertThat(still.test(X)).isFalse();
    asking.ask(Operation.WRITE, 1, 0, X);
    shouldServeTheOtherOneOnly();
    assertThat(still.commit()).isTrue();
    answered();
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldCommitOnceWhenACommitIsInConflict() throws IOException {
    assertThat(still.test(X)).isFalse();
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    asking.ask(Operation.WRITE, transaction, 2, 0, X);
    answered();
    asking.ask(Operation.COMMIT, transaction, 3, 0, X);
    shouldServeTheOtherOneOnly();
    assertThat(still.commit()).isTrue();
    assertThat(answered()).isEqualTo(1);
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldGoOnWithATransactionOfWhichAnOperationWasInConflict() throws IOException {
    space.write(X);
    assertThat(still.take(X)).isNotNull();
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    asking.ask(Operation.READ_ALL, transaction, 2, 0, X);
    shouldServeTheOtherOneOnly();
    assertThat(still.commit()).isTrue();
    assertThat(answered()).as("how many there are").isZero();
    asking.ask(Operation.COMMIT, transaction, 3, 0, X);
    assertThat(answered()).isEqualTo(1);
  }

  /** Threads of one client have one link: who is to end the conflict comes behind who waits. */
  @Test
  void shouldServeOtherRequestsOfTheClientMeanwhile() throws IOException {
    space.write(X);
    asking.ask(Operation.BEGIN, 1, 1, X); // of the higher priority
    int holder = (int) answered();
    asking.ask(Operation.TAKE, holder, 2, 0, X);
    assertThat(answered()).isEqualTo(1);
    asking.ask(Operation.BEGIN, 3, 0, X);
    int taker = (int) answered();
    asking.ask(Operation.TAKE, taker, 4, 0, X);
    asking.ask(Operation.TAKE, 5, 0, X);
    asking.ask(Operation.TEST, 6, 0, Y);
    answered();
    assertThat(asking.reader.request()).isEqualTo(6);
    asking.ask(Operation.ROLLBACK, holder, 7, 0, X);
    answered();
    assertThat(asking.reader.request()).isEqualTo(7);
    assertThat(answered()).as("the one that has waited longest").isEqualTo(1);
    assertThat(asking.reader.request()).isEqualTo(4);
    asking.ask(Operation.COMMIT, taker, 8, 0, X);
    assertThat(answered() + answered()).as("committed, and nothing is left").isEqualTo(1);
  }

  /** As many requests are in conflict as may be, and one of a transaction, which is to end. */
  private int transactionBehindManyConflicts() throws IOException {
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    asking.ask(Operation.WRITE, transaction, 2, 0, Y);
    answered();
    assertThat(still.test(X)).isFalse();
    int limit = DeferredRequests.LIMIT;
    asking.ask(Operation.WRITE_NOW, transaction, 3, 0, X);
    server.serve(64);
    for (int i = 1; i < limit; i++) {
      asking.ask(Operation.WRITE, 3 + i, 0, X);
      server.serve(64);
    }
    asking.ask(Operation.WRITE, limit + 3, 0, X);
    shouldBeRefused("too many requests");
    return transaction;
  }

  private void shouldBeRefused(String why) throws IOException {
    serveUntil(() -> has(asking));
    assertThat(asking.reader.kind()).isEqualTo(MessageKind.REFUSAL);
    assertThat(asking.reader.refusal()).hasMessageContaining(why);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMIT", "ROLLBACK"})
  void shouldHaveRoomForTheEndOfATransactionWhereTooManyAreInConflict(Operation end)
      throws IOException {
    int transaction = transactionBehindManyConflicts();
    asking.ask(end, transaction, 9_998, 0, X);
    asking.ask(end, transaction, 9_999, 0, X);
    shouldBeRefused("is to end already");
    assertThat(still.commit()).isTrue();
    for (int i = 0; i <= DeferredRequests.LIMIT; i++) {
      answered();
    }
    assertThat(space.count(Y)).isEqualTo(end == Operation.COMMIT ? 1 : 0);
    asking.ask(Operation.BEGIN, 10_000, 0, X);
    assertThat(answered()).as("its number is free").isEqualTo(transaction);
  }

  @Test
  void shouldCancelATimedTakeWhoseFirstLookIsInConflict() throws IOException {
    space.write(X);
    assertThat(still.read(X)).isNotNull();
    asking.ask(Operation.AWAIT_TAKE, 1, HOUR_NS, X);
    shouldServeTheOtherOneOnly();
    asking.ask(Operation.CANCEL, 2, 1, X);
    assertThat(answered() + answered()).as("cancelled, and nothing taken").isEqualTo(1);
    assertThat(still.commit()).isTrue();
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldKeepTheOrderOfTheRequestsOfOneTransaction() throws IOException {
    space.write(X);
    assertThat(still.take(X)).isNotNull();
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    asking.ask(Operation.TAKE, transaction, 2, 0, X);
    asking.ask(Operation.WRITE, transaction, 3, Operation.UNANSWERED, Y);
    asking.ask(Operation.COMMIT, transaction, 4, 0, X);
    shouldServeTheOtherOneOnly();
    still.rollback();
    assertThat(answered()).isEqualTo(1);
    assertThat(asking.reader.request()).isEqualTo(2);
    assertThat(answered()).isEqualTo(1);
    assertThat(asking.reader.request()).isEqualTo(4);
    assertThat(space.count(Y)).isEqualTo(1);
    assertThat(space.count(X)).isZero();
  }

  @Test
  void shouldAnswerOtherWaitsWhileOneIsInConflict() throws IOException {
    asking.ask(Operation.AWAIT_TAKE, 1, HOUR_NS, X);
    asking.ask(Operation.AWAIT_TAKE, 2, HOUR_NS, Y);
    asking.ask(Operation.TEST, 3, 0, Y);
    answered();
    space.write(X);
    assertThat(still.read(X)).isNotNull();
    shouldServeTheOtherOneOnly();
    space.write(Y);
    assertThat(answered()).isEqualTo(1);
    assertThat(asking.reader.request()).isEqualTo(2);
    asking.ask(Operation.CANCEL, 4, 1, X);
    assertThat(answered() + answered()).as("cancelled, and nothing taken").isEqualTo(1);
    assertThat(still.commit()).isTrue();
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldPutBackWhatHasNoPlaceInAMessageWhenTheConflictIsOver() throws IOException {
    Event large = new Event("x", 1).add("text", "x".repeat(1_000));
    space.write(large);
    still.rollback();
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    still.begin(2, 0);
    Event sees = new Event("x", 1).add("other", 1);
    assertThat(still.test(sees)).isFalse();
    Event absent = new Event("x", 1).add("text", "y");
    assertThat(still.test(absent)).isFalse();
    asking.ask(Operation.TAKE_NOW, transaction, 2, 0, X);
    serveUntil(() -> has(asking));
    assertThat(asking.reader.kind()).isEqualTo(MessageKind.REFUSAL);
    still.rollback();
    serveUntil(() -> space.count(X) == 1);
  }

  @Test
  void shouldGiveAWaitingTakeItsEventWhenItsReaderHasEnded() throws IOException {
    asking.ask(Operation.AWAIT_TAKE, 1, HOUR_NS, X);
    other.ask(Operation.TEST, 99, 0, Y);
    serveUntil(() -> has(other));
    space.write(X);
    assertThat(still.read(X)).isNotNull();
    shouldServeTheOtherOneOnly();
    assertThat(still.commit()).isTrue();
    assertThat(answered()).isEqualTo(1);
    asking.received(1);
  }

  @Test
  void shouldKeepTheTemplateOfATakeThatWaitsAfterItsFirstLookWasInConflict() throws IOException {
    space.write(X);
    assertThat(still.read(X)).isNotNull();
    asking.ask(Operation.AWAIT_TAKE, 1, HOUR_NS, X);
    shouldServeTheOtherOneOnly();
    assertThat(still.poll(X, new Event())).isTrue();
    assertThat(still.commit()).isTrue();
    space.write(Y);
    other.ask(Operation.COUNT, 99, 0, Y);
    serveUntil(() -> has(other));
    assertThat(has(asking)).as("an event that does not match").isFalse();
    space.write(X);
    assertThat(answered()).isEqualTo(1);
    asking.received(1);
  }

  @Test
  void shouldPutBackWhatAClientHadTakenWhenTheConflictIsOver() throws IOException {
    space.write(X);
    asking.ask(Operation.TAKE, 1, 0, X);
    assertThat(answered()).isEqualTo(1);
    assertThat(still.test(X)).isFalse();
    asking.close();
    serveUntil(() -> server.clients() == 1);
    other.ask(Operation.TEST, 1, 0, X);
    serveUntil(() -> has(other));
    assertThat(other.reader.number()).isZero();
    assertThat(still.commit()).isTrue();
    serveUntil(() -> space.count(X) == 1);
  }

  /** Of the higher rank it ends a transaction of another client, which is told so. */
  @Test
  void shouldNotBelieveAClientThatSaysThatItHasTriedOften() throws IOException {
    still.rollback();
    space.write(X);
    still.begin(0, 3);
    assertThat(still.take(X)).isNotNull();
    asking.ask(Operation.BEGIN, 1, 255L << Integer.SIZE, X);
    int transaction = (int) answered();
    asking.ask(Operation.TAKE, transaction, 2, 0, X);
    shouldServeTheOtherOneOnly();
    assertThat(still.commit()).isTrue();
    assertThat(answered()).isZero();
  }

  @Test
  void shouldGiveAClientThatHasLostTheRankOfThat() throws IOException {
    still.rollback();
    asking.ask(Operation.BEGIN, 1, 0, X);
    int transaction = (int) answered();
    asking.ask(Operation.TEST, transaction, 2, 0, X);
    answered();
    still.begin(2, 0);
    still.write(X);
    assertThat(still.commit()).isTrue();
    asking.ask(Operation.TEST, transaction, 3, 0, X);
    serveUntil(() -> has(asking));
    assertThat(asking.reader.number()).isEqualTo(Refusal.CONFLICT.code());
    asking.ask(Operation.ROLLBACK, transaction, 4, 0, X);
    answered();
    still.begin(0, 0);
    assertThat(still.take(X)).isNotNull();
    asking.ask(Operation.BEGIN, 5, 1L << Integer.SIZE, X);
    transaction = (int) answered();
    asking.ask(Operation.TAKE, transaction, 6, 0, X);
    assertThat(answered()).as("found, since it goes before the other one").isEqualTo(1);
    assertThat(still.commit()).isFalse();
  }
}
