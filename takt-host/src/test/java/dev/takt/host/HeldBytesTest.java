package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client has in the heap beside the space, on two connections. */
@Timeout(60)
class HeldBytesTest {
  private static final int LIMIT = 10_000;
  private static final WireLimits WIRE = WireLimits.DEFAULTS.withMaxMessageBytes(8_192);
  private static final Event ANY = new Event("s", null);
  private static final Event LONG = new Event("s", "x".repeat(3_000));

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
  private final ClientAccount account =
      new ClientAccount(
          ClientRights.all(
              "greedy", ClientLimits.DEFAULTS.withWire(WIRE).withMaxAccountBytes(LIMIT)));
  private final Connection first = new Connection();
  private final Connection second = new Connection();

  /** One that is greeted. */
  private final class Connection {
    private final Deque<byte[]> sent = new ArrayDeque<>();
    private final ClientSession session =
        new ClientSession(
            space,
            account,
            new Outbox() {
              @Override
              public void send(MemorySegment message, int length) {
                sent.add(MemoryLink.copy(message, length));
              }

              @Override
              public boolean mayGoOn() {
                return !isHeldUp;
              }
            },
            () -> {});
    private final MessageWriter writer = new MessageWriter(WIRE);
    private final MessageReader reader = new MessageReader(WIRE);
    private long requests;

    /** Whether long answers do not go on. */
    private boolean isHeldUp;

    Connection() {
      writer.hello(8_192, "");
      handle();
      next();
    }

    private void handle() {
      try {
        session.handle(writer.segment(), writer.length(), 0);
      } catch (WireException e) {
        throw new AssertionError(e);
      }
    }

    private MessageKind next() {
      byte[] message = sent.remove();
      try {
        reader.begin(MemorySegment.ofArray(message), 0, message.length);
      } catch (WireException e) {
        throw new AssertionError(e);
      }
      return reader.kind();
    }

    /** Returns whether it was not refused for what the client has. */
    boolean ask(Operation operation, int transaction, long number, Event content) {
      writer.request(operation, transaction, ++requests, number);
      switch (operation.asked()) {
        case EVENT -> writer.event(content);
        case TEMPLATE -> writer.template(content);
        case NONE, EVENTS -> {}
      }
      writer.end();
      sent.clear();
      handle();
      if (sent.isEmpty() || next() != MessageKind.REFUSAL) {
        return true;
      }
      try {
        assertThat(reader.refusal())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContainingAll(
                "client greedy", "limit=" + LIMIT, "ClientLimits.maxAccountBytes", "heap");
      } catch (WireException e) {
        throw new AssertionError(e);
      }
      return false;
    }

    boolean take() {
      return ask(Operation.TAKE, 0, 0, ANY);
    }

    /** Begins a transaction and asks for all that it sees. */
    boolean readAllInATransaction() {
      ask(Operation.BEGIN, 0, 0, null);
      return ask(Operation.READ_ALL, (int) reader.number(), 0, ANY);
    }

    void confirm(long request) {
      writer.received(request);
      handle();
    }
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      space.write(LONG);
    }
  }

  @AfterEach
  void close() {
    for (Connection each : List.of(first, second)) {
      each.session.close();
      assertThat(each.session.putBack()).isTrue();
    }
    assertThat(account.held().bytes()).as("what nobody has any more").isZero();
  }

  @Test
  void shouldRefuseATakeUntilWhatWasTakenBeforeIsConfirmed() {
    write(3);
    assertThat(first.take()).isTrue();
    assertThat(second.take()).as("of 6,500 bytes more, on another connection").isFalse();
    assertThat(space.count(ANY)).as("it is left in the space").isEqualTo(2);
    assertThat(second.ask(Operation.TEST, 0, 0, ANY)).as("it goes on").isTrue();

    first.confirm(1);

    assertThat(second.take()).isTrue();
  }

  @Test
  void shouldRefuseEachOperationThatTakes() {
    write(4);
    assertThat(first.ask(Operation.TAKE_ALL, 0, 2, ANY)).isFalse();
    assertThat(first.ask(Operation.TAKE_ALL, 0, 1, ANY)).isTrue();
    first.ask(Operation.BEGIN, 0, 0, null);
    for (Operation operation : List.of(Operation.TAKE_NOW, Operation.POLL_NOW)) {
      assertThat(first.ask(operation, 1, 0, ANY)).as("%s", operation).isFalse();
    }
    assertThat(first.ask(Operation.POLL, 0, 0, ANY)).isFalse();
    assertThat(first.ask(Operation.AWAIT_TAKE, 0, 1, ANY)).isFalse();
    assertThat(space.count(ANY)).isEqualTo(3);
    assertThat(first.ask(Operation.POLL, 0, 0, new Event("none", 1)))
        .as("there is nothing to take")
        .isTrue();
  }

  @Test
  void shouldAllowOneThatIsTooLargeByItself() {
    space.write(new Event("s", "x".repeat(6_000)));
    assertThat(first.take()).isTrue();
  }

  @Test
  void shouldCountTemplatesOfSubscriptionsAndWaits() {
    assertThat(first.ask(Operation.SUBSCRIBE, 0, 1, LONG)).isTrue();
    assertThat(second.ask(Operation.SUBSCRIBE, 0, 1, LONG)).isFalse();
    assertThat(second.ask(Operation.AWAIT_READ, 0, 1_000_000, LONG)).isFalse();
    assertThat(space.stats().subscriptions()).isEqualTo(1);

    assertThat(first.ask(Operation.UNSUBSCRIBE, 0, 1, null)).isTrue();

    assertThat(second.ask(Operation.AWAIT_READ, 0, 1_000_000, LONG)).isTrue();
    assertThat(first.ask(Operation.SUBSCRIBE, 0, 2, LONG)).isFalse();
    second.session.advance(2_000_000); // its time is over
    assertThat(first.ask(Operation.SUBSCRIBE, 0, 2, LONG)).isTrue();
  }

  @Test
  void shouldCountTheCopiesThatATransactionIsGivenUntilAllAreTold() {
    write(1);
    first.isHeldUp = true;
    assertThat(first.readAllInATransaction()).isTrue();
    assertThat(account.held().bytes()).isGreaterThan(6_000);
    assertThat(second.readAllInATransaction()).as("as much once more").isFalse();

    first.isHeldUp = false;
    first.session.advance(0);

    assertThat(account.held().bytes()).isZero();
    second.isHeldUp = true;
    assertThat(second.readAllInATransaction()).isTrue();
    assertThat(account.held().bytes()).as("lasts until its end").isGreaterThan(6_000);
  }

  @Test
  void shouldKeepNoCopiesOfAnAnswerThatIsRefused() {
    write(2);
    assertThat(first.readAllInATransaction()).isFalse();
    assertThat(account.held().bytes()).isZero();
    assertThat(first.ask(Operation.READ_ALL, 0, 0, ANY)).as("of what is not copied").isTrue();
  }

  @Test
  void shouldGiveEachOfSeveralTokensItsPart() throws Exception {
    ClientRights rights = account.rights();
    ClientAccounts accounts = ClientAccounts.of(Map.of("a-token", rights, "b-token", rights));
    HeldBytes held = accounts.find("a-token").held();
    held.require(LIMIT);
    held.add(1);
    held.require(LIMIT / 2 - 1);
    assertThat(catchThrowable(() -> held.require(LIMIT / 2)))
        .hasMessageContaining("limit=" + LIMIT / 2);
    assertThat(accounts.find("b-token").held().bytes()).isZero();
  }

  /** Takes, confirmations and ends in any order: what is counted is what is there. */
  @Test
  void shouldCountWhatIsThereInAnyHistory() {
    Random random = new Random(Seeds.seed());
    HeldBytes held = new HeldBytes("a", 1 << 20);
    long[] confirmed = {0};
    UnconfirmedTakes takes = new UnconfirmedTakes(200, held, () -> confirmed[0]);
    List<Integer> lengths = new ArrayList<>();
    List<Long> requests = new ArrayList<>();
    for (long request = 1; request <= Seeds.size(2_000, 200_000); request++) {
      int length = random.nextInt(4) == 0 ? 3_000 : 40;
      if (requests.size() < 200) {
        takes.next().clear().add("id", request);
        takes.add(request, length);
        lengths.add(length);
        requests.add(request);
      }
      if (random.nextInt(5) == 0) {
        int at = random.nextInt(requests.size());
        takes.confirm(requests.get(at));
        requests.remove(at);
        lengths.remove(at);
      } else if (random.nextInt(40) == 0 && requests.size() >= 16) {
        int at = random.nextInt(requests.size());
        confirmed[0] = requests.get(at);
        takes.forget();
        confirmed[0] = 0;
        requests.subList(0, at + 1).clear();
        lengths.subList(0, at + 1).clear();
      }
      assertThat(held.bytes())
          .as("after request %s, %s", request, Seeds.replay(Seeds.seed()))
          .isEqualTo(lengths.stream().mapToLong(HeldBytes::of).sum());
    }
    EventSpace back = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(64));
    while (!takes.putBack(back)) {
      assertThat(back.stats().events()).isPositive();
      for (Event event = new Event(); back.take(new Event(), event); ) {
        assertThat(event.getLong("id")).isEqualTo(requests.removeFirst());
        lengths.removeFirst();
      }
      assertThat(held.bytes()).isEqualTo(lengths.stream().mapToLong(HeldBytes::of).sum());
    }
    assertThat(held.bytes()).isZero();
  }

  /** Otherwise the largest event of each of the places would stay as long as the client. */
  @Test
  void shouldLetTheStringsOfConfirmedEventsGo() {
    HeldBytes held = new HeldBytes("a", 1 << 20);
    UnconfirmedTakes takes = new UnconfirmedTakes(200, held, () -> 0);
    List<WeakReference<String>> texts = new ArrayList<>();
    for (int request = 1; request <= 100; request++) {
      String text = "x".repeat(3_000);
      texts.add(new WeakReference<>(text));
      takes.next().clear().add("s", text);
      takes.add(request, 3_100);
    }
    for (int request = 1; request <= 100; request++) {
      takes.confirm(request);
    }
    System.gc();
    assertThat(texts).allSatisfy(text -> assertThat(text.get()).isNull());
    assertThat(takes.next()).isEqualTo(new Event());
  }
}
