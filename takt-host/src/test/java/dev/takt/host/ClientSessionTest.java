package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import dev.takt.space.Transaction;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client gets, message by message, at times that the test says. */
class ClientSessionTest {
  record Pair(int a, int b) {}

  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxMessageBytes(512);
  private static final Event X = new Event("x", 1);

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64).withPatience(10));
  private final Deque<byte[]> sent = new ArrayDeque<>();
  private int room = Integer.MAX_VALUE;
  private final ClientSession session =
      new ClientSession(
          space,
          new ClientLimits(WIRE, 2, 2, 2, 3, 100, 5, 512, 1 << 20),
          new Outbox() {
            @Override
            public void send(MemorySegment message, int length) {
              sent.add(MemoryLink.copy(message, length));
              room--;
            }

            @Override
            public boolean hasRoom() {
              return room > 0;
            }
          },
          () -> {});
  private final MessageWriter writer = new MessageWriter(WIRE);
  private final MessageReader reader = new MessageReader(WIRE);
  private long nowNs = Long.MAX_VALUE - 10; // soon past its end

  @AfterEach
  void close() {
    session.close();
    session.close();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private void hello() throws WireException {
    writer.hello(512, "");
    handle();
    next(MessageKind.WELCOME);
  }

  private void handle() throws WireException {
    session.handle(writer.segment(), writer.length(), nowNs);
  }

  private void ask(Operation operation, int transaction, long request, long number, Event content)
      throws WireException {
    writer.request(operation, transaction, request, number);
    switch (operation.asked()) {
      case EVENT -> writer.event(content);
      case TEMPLATE -> writer.template(content);
      case NONE, EVENTS -> {}
    }
    writer.end();
    handle();
  }

  private void next(MessageKind kind) throws WireException {
    byte[] message = sent.remove();
    reader.begin(MemorySegment.ofArray(message), 0, message.length);
    assertThat(reader.kind()).isEqualTo(kind);
  }

  private void answered(long request, long number) throws WireException {
    next(MessageKind.ANSWER);
    assertThat(reader.request()).isEqualTo(request);
    assertThat(reader.number()).isEqualTo(number);
  }

  private void refused(long request, Class<?> type, String... parts) throws WireException {
    next(MessageKind.REFUSAL);
    assertThat(reader.request()).isEqualTo(request);
    assertThat(reader.refusal()).isInstanceOf(type).hasMessageContainingAll(parts);
  }

  @Test
  void shouldBeGreetedFirstAndOnce() throws WireException {
    assertThatThrownBy(() -> ask(Operation.TEST, 0, 1, 0, X))
        .isInstanceOf(WireException.class)
        .hasMessageContainingAll("kind=REQUEST", "expected: HELLO");
    hello();
    assertThatThrownBy(this::hello)
        .isInstanceOf(WireException.class)
        .hasMessageContainingAll("kind=HELLO", "expected: REQUEST");
    ask(Operation.TEST, 0, 1, 0, X);
    answered(1, 0);
  }

  @Test
  void shouldRollBackAndGiveBackWhatAClientHasTakenWhenItsLinkEnds() throws WireException {
    hello();
    space.write(X);
    ask(Operation.BEGIN, 0, 1, 0, null);
    answered(1, 1);
    ask(Operation.TAKE, 1, 2, 0, X);
    answered(2, 1);
    ask(Operation.WRITE, 1, 3, 0, new Event("y", 1));
    answered(3, 0);
    assertThat(space.poll(X, new Event())).isFalse();

    session.close();

    assertThat(space.count(new Event())).isEqualTo(1);
    assertThat(space.poll(X, new Event())).isTrue();
  }

  @Test
  void shouldTellEachLaterRequestOfATransactionWhyAWriteWithoutAnswerWasRefused()
      throws WireException {
    hello();
    ask(Operation.BEGIN, 0, 1, 0, null);
    answered(1, 1);
    ask(Operation.WRITE, 1, 2, Operation.UNANSWERED, X);
    assertThat(sent).as("done, and not answered").isEmpty();
    for (int i = 0; i < 65; i++) {
      ask(Operation.WRITE, 1, 3, Operation.UNANSWERED, X);
    }
    assertThat(sent).as("one was refused: the space is full").isEmpty();
    assertThat(space.offer(new Event("y", 1))).as("rolled back").isTrue();

    ask(Operation.TEST, 1, 4, 0, X);
    refused(4, Abort.class, "full");
    ask(Operation.WRITE, 1, 5, 0, X);
    refused(5, Abort.class, "full");
    ask(Operation.COMMIT, 1, 6, 0, null);
    refused(6, Abort.class, "full");
    assertThat(space.count(X)).isZero();

    ask(Operation.COMMIT, 1, 7, 0, null);
    refused(7, IllegalStateException.class, "no transaction 1 runs");
    ask(Operation.BEGIN, 0, 8, 0, null);
    answered(8, 1);
    ask(Operation.WRITE, 1, 9, Operation.UNANSWERED, X);
    ask(Operation.COMMIT, 1, 10, 0, null);
    answered(10, 1);
    assertThat(space.count(X)).isEqualTo(1);
  }

  @Test
  void shouldFreeATransactionWhoseWriteWasRefusedWhenItIsRolledBack() throws WireException {
    hello();
    for (int round = 0; round < 3; round++) {
      ask(Operation.BEGIN, 0, 1, 0, null);
      answered(1, 1);
      ask(Operation.WRITE, 1, 2, Operation.UNANSWERED, new Event("big", new long[1 << 5]));
      ask(Operation.ROLLBACK, 1, 3, 0, null);
      answered(3, 0);
    }
    ask(Operation.WRITE, 1, 4, Operation.UNANSWERED, X);
    assertThat(sent).as("no such transaction").isEmpty();
    ask(Operation.WRITE, 0, 5, Operation.UNANSWERED, X);
    answered(5, 0);
  }

  @Test
  void shouldLeaveInTheSpaceWhatHasNoPlaceInAnAnswer() throws WireException {
    hello();
    space.write(new Event("p", new Pair(1, 2)));
    for (Operation operation : new Operation[] {Operation.TAKE, Operation.POLL}) {
      ask(operation, 0, 1, 0, new Event("p", null));
      refused(1, IllegalArgumentException.class, "Pair", "key=p");
    }
    ask(Operation.TAKE_ALL, 0, 2, 5, new Event("p", null));
    refused(2, IllegalArgumentException.class, "Pair");
    ask(Operation.AWAIT_TAKE, 0, 3, 5, new Event("p", null));
    refused(3, IllegalArgumentException.class, "Pair");

    assertThat(space.count(new Event("p", null))).isEqualTo(1);
  }

  @Test
  void shouldRefuseAnEventOrTemplateThatTakesTooMuchOfTheHeap() throws WireException {
    hello();
    ask(Operation.WRITE, 0, 1, 0, new Event("s", "x".repeat(512 - 56)));
    answered(1, 0);
    ask(Operation.WRITE, 0, 2, 0, new Event("s", "x".repeat(512 - 56 + 1)));
    refused(2, IllegalArgumentException.class, "513 bytes", "limit=512", "maxHeldBytes", "heap");
    ask(Operation.COUNT, 0, 3, 0, new Event("s", "x".repeat(512 - 56 + 1)));
    refused(3, IllegalArgumentException.class, "513 bytes", "limit=512");
    ask(Operation.WRITE, 0, 4, 0, new Event("s", "\u03c0".repeat((512 - 56) / 2)));
    answered(4, 0);
    ask(Operation.WRITE, 0, 5, 0, new Event("s", "x" + "\u03c0".repeat((512 - 56) / 2)));
    refused(5, IllegalArgumentException.class, "514 bytes");
    Event times = new Event("u", new UUID(1, 2)).add("v", Instant.EPOCH).add("w", LocalDate.EPOCH);
    ask(Operation.WRITE, 0, 6, 0, times);
    answered(6, 0);
    ask(Operation.WRITE, 0, 7, 0, times.add("x", new UUID(3, 4)));
    refused(7, IllegalArgumentException.class, "limit=512");
    assertThat(space.count(new Event())).isEqualTo(3);
  }

  @Test
  void shouldPutBackWhatIsNotConfirmedWhenTheLinkEnds() throws WireException {
    hello();
    for (int i = 1; i <= 3; i++) {
      space.write(new Event("id", i));
      ask(Operation.TAKE, 0, i, 0, new Event("id", i));
      answered(i, 1);
    }
    space.write(new Event("id", 4));
    ask(Operation.TAKE, 0, 4, 0, new Event("id", 4));
    refused(4, IllegalStateException.class, "limit=3", "ClientLimits.maxUnconfirmed");
    writer.received(2);
    handle();
    ask(Operation.TAKE, 0, 5, 0, new Event("id", 4));
    answered(5, 1);
    assertThat(space.count(new Event())).isZero();

    session.close();

    assertThat(session.putBack()).isTrue();
    for (int id : new int[] {1, 3, 4}) {
      assertThat(space.count(new Event("id", id))).isEqualTo(1);
    }
    assertThat(space.test(new Event("id", 2))).isFalse();
    assertThat(session.putBack()).isTrue();
    assertThat(space.count(new Event())).isEqualTo(3);
  }

  @Test
  void shouldPutBackWhatAClientHadTakenAlsoIfAFaultIsMetWhenItsWorkIsEnded() throws WireException {
    hello();
    space.write(X);
    ask(Operation.TAKE, 0, 1, 0, X);
    answered(1, 1);
    ask(Operation.BEGIN, 0, 2, 0, null);
    answered(2, 1);
    ask(Operation.AWAIT_TAKE, 0, 3, 100, new Event("w", 1));
    ask(Operation.SUBSCRIBE, 0, 4, 7, X);
    answered(4, 0);
    space.unsubscribe(session.subscriptions.get(7).handle); // so that a second time is a fault

    session.close();

    assertThat(session.isTimed()).as("the wait and the transaction have ended").isFalse();
    assertThat(session.putBack()).isTrue();
    assertThat(space.take(X, new Event())).isTrue();
  }

  @Test
  void shouldPutBackAtOnceWhatATakeNowFindsAndCannotSend() throws WireException {
    hello();
    space.write(new Event("p", new Pair(1, 2)));
    ask(Operation.BEGIN, 0, 1, 0, null);
    answered(1, 1);
    for (Operation operation : new Operation[] {Operation.TAKE_NOW, Operation.POLL_NOW}) {
      ask(operation, 1, 2, 0, new Event("p", null));
      refused(2, IllegalArgumentException.class, "Pair");
      assertThat(space.count(new Event("p", null))).isEqualTo(1);
    }
    ask(Operation.ROLLBACK, 1, 3, 0, null);
    answered(3, 0);
  }

  @Test
  void shouldPutTheRestBackWhenThereIsRoom() throws WireException {
    hello();
    for (int i = 0; i < 2; i++) {
      space.write(X);
      ask(Operation.TAKE, 0, i, 0, X);
      answered(i, 1);
    }
    while (space.offer(new Event("y", 1))) {}
    space.take(new Event("y", 1), new Event());
    session.close();
    assertThat(session.putBack()).isFalse();
    space.take(new Event("y", 1), new Event());
    assertThat(session.putBack()).isTrue();
    assertThat(space.count(X)).isEqualTo(2);
  }

  @Test
  void shouldRollBackATransactionThatIsNotOverInTime() throws WireException {
    nowNs = 0;
    hello();
    space.write(X);
    ask(Operation.BEGIN, 0, 1, 0, null);
    answered(1, 1);
    ask(Operation.TAKE, 1, 2, 0, X);
    answered(2, 1);
    session.advance(99);
    assertThat(space.poll(X, new Event())).isFalse();
    session.advance(100);
    assertThat(space.test(X)).isTrue();

    ask(Operation.WRITE, 1, 3, 0, X);
    refused(3, Abort.class, "try again", "ClientLimits.maxTransactionNs");
    ask(Operation.BEGIN, 0, 4, 0, null); // the number of the one before is not free yet
    answered(4, 2);
    ask(Operation.ROLLBACK, 1, 5, 0, null);
    answered(5, 0);
    ask(Operation.BEGIN, 0, 6, 0, null);
    answered(6, 1);
  }

  @Test
  void shouldHoldNoTransactionOfTheSpaceForATakeThatIsOver() throws WireException {
    hello();
    space.write(X);
    ask(Operation.TAKE, 0, 1, 0, X);
    answered(1, 1);
    List<Transaction> all = new ArrayList<>();
    for (int i = 0; i < space.settings().maxTransactions(); i++) {
      all.add(space.newTransaction());
    }
    all.forEach(Transaction::close);
  }

  @Test
  void shouldAnswerAWaitWhenAMatchComesOrTheTimeIsOver() throws WireException {
    hello();
    ask(Operation.AWAIT_TAKE, 0, 1, 100, X);
    ask(Operation.AWAIT_READ, 0, 2, 50, X);
    session.advance(nowNs + 5);
    session.advance(nowNs + 49);
    assertThat(sent).isEmpty();
    session.advance(nowNs + 50);
    answered(2, 0);
    assertThat(sent).isEmpty();

    space.write(X);
    session.advance(nowNs + 51);
    answered(1, 1);
    assertThat(space.test(X)).isFalse();
    assertThat(space.stats().subscriptions()).isZero();

    ask(Operation.AWAIT_TAKE, 0, 3, Long.MAX_VALUE, new Event());
    session.advance(nowNs + 1_000);
    assertThat(sent).isEmpty();
    ask(Operation.CANCEL, 0, 4, 3, null);
    answered(3, 0);
    answered(4, 1);
    ask(Operation.CANCEL, 0, 5, 3, null);
    answered(5, 0);
  }

  @Test
  void shouldLookForTheTimeOnlyIfAWaitEndsByTime() throws WireException {
    hello();
    ask(Operation.AWAIT_TAKE, 0, 1, Long.MAX_VALUE, X);
    assertThat(session.isTimed()).as("the subscription wakes it").isFalse();
    ask(Operation.AWAIT_TAKE, 0, 2, 100, X);
    assertThat(session.isTimed()).isTrue();
    ask(Operation.CANCEL, 0, 3, 2, null);
    assertThat(session.isTimed()).isFalse();
    ask(Operation.AWAIT_TAKE, 0, 4, Long.MAX_VALUE, new Event());
    assertThat(session.isTimed()).as("nothing tells of matches of the empty template").isTrue();
  }

  @Test
  void shouldStayDueWhileAWaitWithAMatchFindsNoRoomForItsAnswer() throws WireException {
    hello();
    ask(Operation.AWAIT_TAKE, 0, 1, Long.MAX_VALUE, X);
    ask(Operation.AWAIT_TAKE, 0, 2, Long.MAX_VALUE, X);
    room = 1;
    space.write(X);
    space.write(X);
    session.advance(nowNs);
    answered(1, 1);
    assertThat(session.isDue()).isTrue();
    room = 1;
    session.advance(nowNs);
    answered(2, 1);
    assertThat(session.isTimed()).isFalse();
  }

  @Test
  void shouldRefuseAWaitWhoseMatchCannotBeSent() throws WireException {
    hello();
    ask(Operation.AWAIT_TAKE, 0, 1, 100, new Event("p", null));
    space.write(new Event("p", new Pair(1, 2)));
    session.advance(nowNs + 1);
    refused(1, IllegalArgumentException.class, "Pair");
    assertThat(space.count(new Event())).isEqualTo(1);
    assertThat(space.stats().subscriptions()).isZero();
  }

  @Test
  void shouldBoundWhatOneClientHas() throws WireException {
    hello();
    for (int i = 1; i <= 2; i++) {
      ask(Operation.BEGIN, 0, i, 0, null);
      answered(i, i);
      ask(Operation.SUBSCRIBE, 0, i, i, X);
      answered(i, 0);
      ask(Operation.AWAIT_TAKE, 0, 10 + i, 100, X);
    }
    ask(Operation.BEGIN, 0, 3, 0, null);
    refused(3, IllegalStateException.class, "limit=2", "ClientLimits.maxTransactions");
    ask(Operation.SUBSCRIBE, 0, 4, 3, X);
    refused(4, IllegalStateException.class, "limit=2", "ClientLimits.maxSubscriptions");
    ask(Operation.AWAIT_TAKE, 0, 5, 100, X);
    refused(
        5, IllegalStateException.class, "limit=2", "ClientLimits.maxWaits", "waits in the file of");

    ask(Operation.ROLLBACK, 2, 6, 0, null);
    answered(6, 0);
    ask(Operation.BEGIN, 0, 7, 0, null);
    answered(7, 2);
  }

  @Test
  void shouldRefuseAPriorityThatTheClientMayNotHave() throws WireException {
    hello();
    ask(Operation.BEGIN, 0, 1, 6, null);
    refused(1, IllegalArgumentException.class, "priority=6 (expected: 0 to 5", "--client-priority");
    ask(Operation.BEGIN, 0, 2, 1_000_000, null);
    refused(2, IllegalArgumentException.class, "ClientLimits.maxPriority", "--tokens");
    ask(Operation.BEGIN, 0, 3, 0xFFFF_FFFFL, null);
    refused(3, IllegalArgumentException.class, "priority=-1");
    ask(Operation.BEGIN, 0, 4, 1L << Integer.SIZE | 5, null);
    answered(4, 1);
  }

  @Test
  void shouldRefuseNumbersThatStandForNothing() throws WireException {
    hello();
    ask(Operation.COMMIT, 1, 1, 0, null);
    refused(1, IllegalStateException.class, "no transaction 1 runs");
    ask(Operation.WRITE, 65_535, 2, 0, X);
    refused(2, IllegalStateException.class, "no transaction 65535 runs");
    ask(Operation.NEXT, 0, 3, 9, null);
    refused(3, IllegalStateException.class, "no subscription 9");
    ask(Operation.SUBSCRIBE, 0, 4, Long.MIN_VALUE, X);
    refused(4, IllegalArgumentException.class, "subscription=" + Long.MIN_VALUE);
    ask(Operation.PEEK, 0, 5, 0, X);
    refused(5, IllegalArgumentException.class, "peek outside of a transaction");
    ask(Operation.BEGIN, 0, 6, 0, null);
    answered(6, 1);
    ask(Operation.COUNT, 1, 7, 0, X);
    refused(7, IllegalArgumentException.class, "count within a transaction");
    assertThat(space.count(new Event())).isZero();
  }

  @Test
  void shouldTellOfAConflictAndEndTheTransaction() throws WireException {
    hello();
    ask(Operation.BEGIN, 0, 1, 0, null);
    answered(1, 1);
    ask(Operation.TEST, 1, 2, 0, X);
    answered(2, 0);
    space.transact(
        1,
        other -> {
          other.write(X);
          return null;
        });
    ask(Operation.WRITE, 1, 3, 0, new Event("y", 1));
    refused(3, Abort.class, "conflict");
    ask(Operation.COMMIT, 1, 4, 0, null);
    answered(4, 0);
    ask(Operation.COMMIT, 1, 5, 0, null);
    refused(5, IllegalStateException.class, "no transaction 1 runs");
  }

  @Test
  void shouldTellOnceOfManyMatchesThatHaveComeBetween() throws WireException {
    hello();
    ask(Operation.SUBSCRIBE, 0, 1, 7, new Template("x", null).atLeast("x", 1));
    answered(1, 0);
    ask(Operation.SUBSCRIBE, 0, 2, -8, X);
    answered(2, 0);
    for (int i = 0; i < 5; i++) {
      space.write(X);
    }
    session.advance(nowNs);
    next(MessageKind.NOTICE);
    assertThat(reader.number()).isEqualTo(7);
    session.advance(nowNs);
    assertThat(sent).isEmpty();
  }

  @Test
  void shouldSendManyEventsInPartsThatFit() throws WireException {
    hello();
    for (int i = 0; i < 40; i++) {
      space.write(new Event("id", i).add("text", "x".repeat(40)));
    }
    ask(Operation.READ_ALL, 0, 1, 0, new Event());
    int events = 0;
    Event into = new Event();
    while (sent.size() > 1) {
      next(MessageKind.PART);
      events += events(into, events);
    }
    next(MessageKind.ANSWER);
    events += events(into, events);
    assertThat(events).isEqualTo(40);
  }

  private int events(Event into, int before) throws WireException {
    for (int i = 0; i < reader.number(); i++) {
      reader.event(into);
      assertThat(into.getLong("id")).isEqualTo(before + i);
    }
    reader.end();
    return (int) reader.number();
  }
}
