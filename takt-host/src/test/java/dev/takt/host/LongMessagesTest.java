package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages by TCP that are longer than what each connection has room for at any time. */
@Timeout(120)
class LongMessagesTest {
  private static final int LIMIT = 200_000;
  private static final int BEGUN = 20_000;

  /** So many long answers are more than what the system keeps of a connection. */
  private static final int UNREAD = 400;

  /** Three of its messages are less than the limit, and four are more. */
  private static final Event LONG = new Event("text", "x".repeat(60_000));

  private static final Event ANY = new Event("text", null);
  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);

  private final EventSpace space = EventSpace.create();
  private final List<TcpPeer> peers = new ArrayList<>();
  private TcpServer server;

  private void open(long limit) throws IOException {
    open(TcpLimits.DEFAULTS.withMaxIncomingBytes(limit));
  }

  private void open(TcpLimits limits) throws IOException {
    server =
        TcpServer.open(
            space,
            new InetSocketAddress("localhost", 0),
            null,
            ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS)),
            limits);
  }

  @AfterEach
  void close() throws IOException {
    for (TcpPeer peer : peers) {
      peer.close();
    }
    if (server != null) {
      server.close();
      assertThat(server.incoming.bytes()).isZero();
      assertThat(server.outgoing.bytes()).isZero();
    }
  }

  private static void until(BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private TcpPeer greeted() throws IOException {
    TcpPeer peer = new TcpPeer(server.address());
    peers.add(peer);
    assertThat(peer.hello("")).isEqualTo(MessageKind.WELCOME);
    return peer;
  }

  /** Sends the beginning of a write, of which the rest may never come; returns all of it. */
  private static byte[] begin(TcpPeer peer) throws IOException {
    peer.writer.request(Operation.WRITE, 0, 1, 0).event(LONG).end();
    peer.writer.sent(); // it names its keys by their number from now on
    byte[] message = MemoryLink.copy(peer.writer.segment(), peer.writer.length());
    peer.socket.getOutputStream().write(message, 0, BEGUN);
    return message;
  }

  private static void end(TcpPeer peer, byte[] message) throws IOException {
    peer.socket.getOutputStream().write(message, BEGUN, message.length - BEGUN);
  }

  private static MessageKind test(TcpPeer peer) throws IOException {
    peer.writer.request(Operation.TEST, 0, 2, 0).template(new Event("text", "y")).end();
    peer.send();
    return peer.receive();
  }

  /** Begins as many as there is room for. */
  private byte[] fill() throws IOException {
    byte[] message = {};
    for (int i = 1; i <= 3; i++) {
      message = begin(greeted());
      long bytes = (long) i * message.length;
      until(() -> server.incoming.bytes() == bytes);
    }
    return message;
  }

  @Test
  void shouldRefuseLongMessagesWhileTooManyAreOnTheirWay() throws Exception {
    open(LIMIT);
    byte[] message = fill();
    for (int i = 0; i < 40; i++) {
      TcpPeer refused = greeted();
      begin(refused);
      assertThat(refused.receive()).isEqualTo(MessageKind.REFUSAL);
      assertThat(refused.reader.request()).isEqualTo(1);
      assertThat(refused.reader.refusal())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll(
              "a message of " + message.length + " bytes",
              3 * message.length + " bytes of others",
              "limit=" + LIMIT,
              "TcpLimits.maxIncomingBytes",
              "send less in one, try again later",
              "more heap");
      end(refused, message);
      assertThat(test(refused)).as("its next message").isEqualTo(MessageKind.ANSWER);
    }
    assertThat(server.incoming.bytes()).isEqualTo(3L * message.length);
    assertThat(space.count(ANY)).isZero();

    end(peers.get(0), message);
    assertThat(peers.get(0).receive()).isEqualTo(MessageKind.ANSWER);
    until(() -> server.incoming.bytes() == 2L * message.length);
    peers.get(1).close();
    until(() -> server.incoming.bytes() == message.length);
    TcpPeer again = peers.getLast();
    begin(again);
    end(again, message);
    assertThat(again.receive()).isEqualTo(MessageKind.ANSWER);
    assertThat(space.count(ANY)).isEqualTo(2);
  }

  @Test
  void shouldRefuseATransactionOneOfWhoseWritesHasNoRoom() throws Exception {
    open(LIMIT);
    fill();
    try (RemoteSpace client = Takt.connect(server.address(), null, "", PATIENT)) {
      assertThatThrownBy(
              () ->
                  client.transact(
                      transaction -> {
                        transaction.write(new Event("x", 1));
                        transaction.write(LONG);
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("limit=" + LIMIT, "TcpLimits.maxIncomingBytes");
      assertThat(client.count(new Event())).isZero();
      peers.getFirst().close();
      until(() -> server.incoming.bytes() < LIMIT - 60_000);
      client.write(LONG);
      assertThat(client.read(ANY)).isEqualTo(LONG);
    }
  }

  // ---- answers

  private static MessageKind ask(TcpPeer peer, Operation operation, long number, Event template)
      throws IOException {
    peer.writer.request(operation, 0, 5, number).template(template).end();
    peer.send();
    return peer.receive();
  }

  @Test
  void shouldCountLongAnswersUntilTheyAreReadOrTheClientHasGone() throws Exception {
    open(TcpLimits.DEFAULTS.withMaxOutgoingBytes(LIMIT).withWriteNs(600_000_000_000L));
    space.write(LONG);
    TcpPeer slow = greeted();
    for (int request = 1; request <= UNREAD; request++) {
      slow.writer.request(Operation.READ, 0, request, 0).template(ANY).end();
      slow.send();
    }
    until(() -> server.outgoing.bytes() > 0);
    slow.close();
    until(() -> server.outgoing.bytes() == 0);
  }

  /** All the room is taken, as by answers that are not read. */
  private TcpPeer withoutRoomForAnswers() throws IOException {
    open(TcpLimits.DEFAULTS.withMaxOutgoingBytes(LIMIT));
    space.write(LONG);
    assertThat(server.outgoing.tryAdd(0, LIMIT)).isTrue();
    return greeted();
  }

  @Test
  void shouldRefuseLongAnswersWhileTooManyAreNotRead() throws Exception {
    TcpPeer other = withoutRoomForAnswers();
    assertThat(ask(other, Operation.READ, 0, ANY)).isEqualTo(MessageKind.REFUSAL);
    assertThat(other.reader.request()).isEqualTo(5);
    assertThat(other.reader.refusal())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "an answer of 60",
            "bytes of others",
            "limit=" + LIMIT,
            "TcpLimits.maxOutgoingBytes",
            "ask for less at once, read what is answered, try again later",
            "more heap");
    for (Operation each : List.of(Operation.TAKE, Operation.POLL, Operation.READ_ALL)) {
      assertThat(ask(other, each, 0, ANY)).as("%s", each).isEqualTo(MessageKind.REFUSAL);
    }
    assertThat(ask(other, Operation.TAKE_ALL, 1, ANY)).isEqualTo(MessageKind.REFUSAL);
    assertThat(ask(other, Operation.AWAIT_TAKE, 1_000_000, ANY)).isEqualTo(MessageKind.REFUSAL);
    assertThat(space.count(ANY)).as("what nobody was given").isEqualTo(1);
    assertThat(ask(other, Operation.COUNT, 0, ANY)).isEqualTo(MessageKind.ANSWER);
    assertThat(server.outgoing.bytes()).isEqualTo(LIMIT);

    server.outgoing.release(LIMIT);
    assertThat(ask(other, Operation.TAKE, 0, ANY)).isEqualTo(MessageKind.ANSWER);
  }

  @Test
  void shouldPutBackSoonWhatWasTakenForALongAnswerThatHasNoRoom() throws Exception {
    TcpPeer other = withoutRoomForAnswers();
    Template part = new Template("part", null);
    for (int i = 0; i < 40; i++) {
      space.write(new Event("part", i).add("s", "x".repeat(1_000)));
    }

    assertThat(ask(other, Operation.TAKE_ALL, 40, part)).isEqualTo(MessageKind.REFUSAL);

    until(() -> space.count(part) == 40);
    assertThat(ask(other, Operation.COUNT, 0, part)).isEqualTo(MessageKind.ANSWER);
    server.outgoing.release(LIMIT);
  }

  // ---- any

  /** Long and short ones in turn, with keys that come back after a long one. */
  @Test
  void shouldCarryMessagesOfAnyLengthUnchanged() throws Exception {
    open(1); // each is alone
    Random random = new Random(Seeds.seed());
    try (RemoteSpace client = Takt.connect(server.address(), null, "", PATIENT)) {
      for (int i = 0; i < Seeds.size(200, 20_000); i++) {
        int length = random.nextBoolean() ? random.nextInt(100) : random.nextInt(65_000);
        String text = Character.toString('a' + random.nextInt(26)).repeat(length) + i;
        Event event = new Event("id", i).add("text" + random.nextInt(5), text);
        client.write(event);
        Event taken = new Event();
        assertThat(client.take(new Event("id", i), taken)).isTrue();
        assertThat(taken).as(Seeds.replay(Seeds.seed())).isEqualTo(event);
      }
      assertThat(client.count(new Event())).isZero();
    }
    assertThat(server.cutOff()).isZero();
  }

  /** A session, of whose messages nothing is known but whether they are still there. */
  private static final class Watched {
    private final List<WeakReference<Object>> sent = new ArrayList<>();
    private final MessageWriter writer;
    private final ClientSession session;

    Watched(EventSpace space, ClientLimits limits, MessageWriter writer) throws IOException {
      this.writer = writer;
      session = new ClientSession(space, limits, this::sent, () -> {});
      writer.hello(1 << 16, "");
      handle();
    }

    private void sent(MemorySegment message, int length) {
      sent.add(new WeakReference<>(message.heapBase().orElseThrow()));
    }

    /** Hands over what the writer has; returns what becomes of that. */
    WeakReference<Object> handle() throws IOException {
      MessageBuffer whole = new MessageBuffer(writer.length());
      MemorySegment.copy(writer.segment(), 0, whole.segment(), 0, writer.length());
      session.handle(whole, writer.length(), () -> 0);
      return new WeakReference<>(whole.segment().heapBase().orElseThrow());
    }
  }

  /** Otherwise each connection would keep as much as its longest message, for good. */
  @Test
  void shouldLetGoOfLongMessages() throws Exception {
    Watched client =
        new Watched(space, ClientLimits.DEFAULTS, new MessageWriter(WireLimits.DEFAULTS));
    space.write(LONG);
    client.writer.request(Operation.READ, 0, 1, 0).template(ANY).end();
    client.handle();
    WeakReference<Object> answer = client.sent.getLast();
    client.writer.request(Operation.WRITE, 0, 2, 0).event(LONG).end();
    WeakReference<Object> write = client.handle();
    client.session.letGo();
    System.gc();
    assertThat(write.get()).as("what was sent").isNull();
    assertThat(answer.get()).as("what was answered").isNull();
    int before = client.sent.size();
    client.writer.request(Operation.COUNT, 0, 3, 0).template(ANY).end();
    client.handle();
    assertThat(client.sent).hasSize(before + 1);
    client.session.close();
  }

  /** What it was about is in no message any more, and would stay with the next request. */
  @Test
  void shouldLetGoOfLongStrings() throws Exception {
    MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS); // one: it keeps its longest
    ClientLimits small = ClientLimits.DEFAULTS.withMaxHeldBytes(512); // the space keeps none
    List<Watched> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Watched client = new Watched(space, small, writer);
      clients.add(client);
      client.writer.request(Operation.TEST, 0, 1, 0).template(ANY).end();
      client.handle();
      client.session.letGo();
    }
    writer.request(Operation.WRITE, 0, 2, 0).event(LONG).end();
    long before = usedBytes();
    for (Watched client : clients) {
      writer.request(Operation.WRITE, 0, 2, 0).event(LONG).end();
      client.handle();
      writer.request(Operation.TEST, 0, 3, 0).template(LONG).end();
      client.handle();
      client.session.letGo();
    }
    long keptBytes = (usedBytes() - before) / clients.size();
    assertThat(keptBytes).as("of each client, after two of 60,000").isLessThan(20_000);
    for (Watched client : clients) {
      client.session.close();
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
