package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.host.ClientRights.Grant;
import dev.takt.host.ClientRights.Right;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each client by TCP waits for itself alone, and has what its token allows. */
@Timeout(180)
class TcpServerTest {
  private static final Event X = new Event("x", 1);
  private static final long MS = 1_000_000;
  private static final Template LARGE = new Template("large", null).add("text", null);

  /** So many answers with all large events are more than what the system keeps of a connection. */
  private static final int UNREAD = 20;

  private static final ClientSettings PATIENT =
      new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000 * MS);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
  private TcpServer server;

  @AfterEach
  void close() {
    server.close();
    assertThat(server.clients()).isZero();
    assertThat(space.stats().subscriptions()).isZero();
  }

  private void open(TcpLimits limits) throws IOException {
    open(ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS)), limits);
  }

  private void open(ClientAccounts accounts, TcpLimits limits) throws IOException {
    server = TcpServer.open(space, new InetSocketAddress("localhost", 0), null, accounts, limits);
  }

  private RemoteSpace connect(String token) throws IOException {
    return Takt.connect(server.address(), null, token, PATIENT);
  }

  private static void until(BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldCutOffWhoSendsSlowlyOrNothing() throws Exception {
    open(TcpLimits.DEFAULTS.withMessageNs(200 * MS).withIdleNs(400 * MS));
    try (TcpPeer silent = new TcpPeer(server.address());
        TcpPeer slow = new TcpPeer(server.address());
        TcpPeer idle = new TcpPeer(server.address())) {
      assertThat(slow.hello("")).isEqualTo(MessageKind.WELCOME);
      slow.writer.request(Operation.TEST, 0, 1, 0).template(X).end();
      slow.socket.getOutputStream().write(3); // and then nothing: half a header
      assertThat(idle.hello("")).isEqualTo(MessageKind.WELCOME);

      assertThat(silent.awaitEnd()).isTrue();
      assertThat(slow.awaitEnd()).isTrue();
      assertThat(idle.awaitEnd()).isTrue();
      until(() -> server.clients() == 0);
      assertThat(server.cutOff()).isEqualTo(3);
    }
  }

  @Test
  void shouldNotCutOffWhoIsSilentBecauseItWaitsForTheHost() throws Exception {
    open(TcpLimits.DEFAULTS.withIdleNs(700 * MS));
    try (TcpPeer waiting = new TcpPeer(server.address());
        TcpPeer subscribed = new TcpPeer(server.address())) {
      waiting.hello("");
      waiting.writer.request(Operation.AWAIT_TAKE, 0, 1, Long.MAX_VALUE).template(X).end();
      waiting.send();
      subscribed.hello("");
      subscribed.writer.request(Operation.SUBSCRIBE, 0, 1, 5).template(X).end();
      subscribed.send();
      assertThat(subscribed.receive()).isEqualTo(MessageKind.ANSWER);
      for (int i = 0; i < 2; i++) { // their time is over twice
        try (TcpPeer idle = new TcpPeer(server.address())) {
          idle.hello("");
          assertThat(idle.awaitEnd()).isTrue();
        }
      }
      space.write(X);
      assertThat(subscribed.receive()).isEqualTo(MessageKind.NOTICE);
      assertThat(waiting.receive()).isEqualTo(MessageKind.ANSWER);
      assertThat(waiting.awaitEnd()).as("it waits for nothing any more").isTrue();
    }
  }

  @Test
  void shouldCutOffAtOnceWhoseEventsCannotBePutBackYet() throws Exception {
    EventSpace small = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
    ClientAccounts all = ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
    server =
        TcpServer.open(small, new InetSocketAddress("localhost", 0), null, all, TcpLimits.DEFAULTS);
    small.write(X);
    try (TcpPeer peer = new TcpPeer(server.address())) {
      peer.hello("");
      peer.writer.request(Operation.TAKE, 0, 1, 0).template(X).end();
      peer.send();
      assertThat(peer.receive()).isEqualTo(MessageKind.ANSWER);
      int filled = 0;
      while (small.offer(new Event("y", filled))) {
        filled++;
      }
      peer.socket.getOutputStream().write(new byte[64]); // no message is so short
      assertThat(peer.awaitEnd()).as("the client need not wait for room").isTrue();
      assertThat(small.test(X)).isFalse();
      assertThat(server.drain(Duration.ZERO)).as("what it has taken is to be put back").isFalse();
      small.take(new Template("y", null));
      assertThat(server.drain(Duration.ofSeconds(60))).isTrue();
      assertThat(small.test(X)).isTrue();
      assertThat(server.cutOff()).isEqualTo(1);
    }
  }

  @Test
  void shouldCutOffWhoSendsByteByByteInAllItsTime() throws Exception {
    open(TcpLimits.DEFAULTS.withMessageNs(200 * MS));
    try (TcpPeer peer = new TcpPeer(server.address())) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  peer.socket.getOutputStream().write(i == 4 ? 255 : 1);
                  TimeUnit.MILLISECONDS.sleep(20); // the pace of the attack
                }
              })
          .isInstanceOf(SocketException.class);
    }
  }

  @Test
  void shouldTellNoticesAndWaitsWhenTheyComeAndPutBackWhatIsNotConfirmed() throws Exception {
    open(TcpLimits.DEFAULTS);
    try (RemoteSpace client = connect("");
        TcpPeer peer = new TcpPeer(server.address())) {
      CompletableFuture<Boolean> told = new CompletableFuture<>();
      client.subscribe(new Template("y", 1), () -> told.complete(true));
      space.write(new Event("y", 1));
      assertThat(told.get(60, TimeUnit.SECONDS)).isTrue();

      assertThat(client.take(X, Duration.ofMillis(20))).isNull();
      assertThat(client.<Boolean>transact(0, transaction -> transaction.test(X))).isFalse();

      peer.hello("");
      peer.writer.request(Operation.AWAIT_TAKE, 0, 1, Long.MAX_VALUE).template(X).end();
      peer.send();
      until(() -> space.stats().subscriptions() == 2);
      space.write(X);
      assertThat(peer.receive()).isEqualTo(MessageKind.ANSWER);
      assertThat(space.test(X)).isFalse();
      peer.socket.close();
      until(() -> space.test(X));
    }
  }

  @Test
  void shouldRollBackATransactionThatIsNotOverInTime() throws Exception {
    ClientLimits hasty = ClientLimits.DEFAULTS.withMaxTransactionNs(20 * MS);
    open(ClientAccounts.open(ClientRights.all("all", hasty)), TcpLimits.DEFAULTS);
    space.write(X);
    try (TcpPeer peer = new TcpPeer(server.address())) {
      peer.hello("");
      peer.writer.request(Operation.BEGIN, 0, 1, 0).end();
      peer.send();
      peer.receive();
      long transaction = peer.reader.number();
      do { // nothing but its time ends it
        peer.writer.request(Operation.TEST_NOW, (int) transaction, 2, 0).template(X).end();
        peer.send();
      } while (peer.receive() == MessageKind.ANSWER);
      assertThat(peer.reader.refusal()).hasMessageContaining("was not over after 20 ms");
      assertThat(space.test(X)).isTrue();
    }
  }

  /** The limit for its reading is so long that it does not end the transaction in this test. */
  @Test
  void shouldRollBackInTimeATransactionOfAClientThatDoesNotReadAnswers() throws Exception {
    openWithSlowLimits();
    space.write(X);
    try (TcpPeer peer = new TcpPeer(server.address())) {
      takeInATransaction(peer);
      for (int request = 3; request < 3 + UNREAD; request++) {
        peer.writer.request(Operation.READ_ALL, 0, request, 0).template(LARGE).end();
        peer.send();
      }

      assertThat(space.take(X, Duration.ofSeconds(60))).as("what it had taken").isNotNull();
      assertThat(server.clients()).as("clients that are served").isEqualTo(1);
    }
  }

  private void openWithSlowLimits() throws IOException {
    ClientLimits hasty = ClientLimits.DEFAULTS.withMaxTransactionNs(300 * MS);
    open(
        ClientAccounts.open(ClientRights.all("all", hasty)),
        TcpLimits.DEFAULTS.withWriteNs(600_000 * MS));
    for (int i = 0; i < 1_000; i++) {
      space.write(new Event("large", i).add("text", "a".repeat(3_000)));
    }
  }

  private static void takeInATransaction(TcpPeer peer) throws IOException {
    assertThat(peer.hello("")).isEqualTo(MessageKind.WELCOME);
    peer.writer.request(Operation.BEGIN, 0, 1, 0).end();
    peer.send();
    assertThat(peer.receive()).isEqualTo(MessageKind.ANSWER);
    peer.writer.request(Operation.TAKE, (int) peer.reader.number(), 2, 0).template(X).end();
    peer.send();
    assertThat(peer.receive()).isEqualTo(MessageKind.ANSWER);
  }

  @Test
  void shouldKnowAClientByItsTokenAndHoldItToItsRights() throws Exception {
    ClientRights feed =
        new ClientRights(
            "feed",
            List.of(new Grant(Set.of(Right.WRITE), new Template("x", null))),
            1_000,
            1,
            ClientLimits.DEFAULTS.withWire(ClientLimits.DEFAULTS.wire().withMaxKeys(3)));
    open(ClientAccounts.of(Map.of("a-token-of-the-feed", feed)), TcpLimits.DEFAULTS);
    for (String wrong : List.of("", "a-token-of-the-fee", "a-token-of-the-feed ", "x")) {
      assertThatThrownBy(() -> connect(wrong))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the host refuses this client: the token is not known here");
    }
    try (RemoteSpace client = connect("a-token-of-the-feed")) {
      client.write(X);
      assertThatThrownBy(() -> client.take(X, new Event()))
          .isInstanceOf(SecurityException.class)
          .hasMessageContaining("client feed has no right to take");
      assertThatThrownBy(() -> client.write(new Event("y", 1)))
          .isInstanceOf(SecurityException.class);
      assertThatThrownBy(() -> connect("a-token-of-the-feed"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("client feed has too many sessions: limit=1");
      assertThatThrownBy(() -> client.transact(transaction -> transaction.test(X)))
          .isInstanceOf(SecurityException.class);
      client.write(X); // goes on
    }
    until(() -> server.clients() == 0);
    long cutOff = server.cutOff();
    try (TcpPeer again = new TcpPeer(server.address())) {
      again.hello("a-token-of-the-feed");
      again.writer.request(Operation.WRITE, 0, 1, 0).event(new Event("x", 1).add("z", 1)).end();
      again.send();
      assertThat(again.receive()).isEqualTo(MessageKind.ANSWER);
      again.writer.request(Operation.WRITE, 0, 1, 0).event(new Event("x", 1).add("v", 1)).end();
      again.send();
      assertThat(again.receive()).as("a fourth key").isEqualTo(MessageKind.REFUSAL);
      assertThat(again.reader.refusal()).hasMessageContainingAll("=v", "one of the 3", "values");
    }
    until(() -> server.clients() == 0);
    try (RemoteSpace client = connect("a-token-of-the-feed")) {
      for (int i = 0; i < 3; i++) { // first by their keys, then by their number
        assertThatThrownBy(() -> client.write(new Event("x", 1).add("w", 1)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContainingAll("one of the 3", "WireLimits.maxKeys", "--tokens");
      }
      client.write(X);
    }
    assertThat(server.cutOff()).isEqualTo(cutOff);
    assertThat(space.count(X)).isEqualTo(4);
  }

  /** Its path may drop without a word, so that the host does not know of the end. */
  @Test
  void shouldLetAClientComeAgainWhoseLinkBeforeTakesTheLastPlace() throws Exception {
    ClientRights all = ClientRights.all("one", ClientLimits.DEFAULTS);
    ClientRights one =
        new ClientRights("one", all.grants(), all.maxRequestsPerSecond(), 1, all.limits());
    open(ClientAccounts.open(one), TcpLimits.DEFAULTS);
    try (TcpPeer lost = new TcpPeer(server.address());
        TcpPeer other = new TcpPeer(server.address());
        TcpPeer again = new TcpPeer(server.address())) {
      assertThat(lost.hello(new UUID(1, 1))).isEqualTo(MessageKind.WELCOME);
      assertThat(other.hello(new UUID(1, 2))).isEqualTo(MessageKind.REFUSAL);
      assertThat(other.reader.refusal()).hasMessageContaining("too many sessions: limit=1");

      assertThat(again.hello(new UUID(1, 1))).isEqualTo(MessageKind.WELCOME);

      assertThat(lost.awaitEnd()).isTrue();
    }
  }

  @Test
  void shouldSlowDownWhoAsksTooOftenOnAllItsConnectionsTogether() throws Exception {
    ClientRights slow =
        new ClientRights(
            "slow",
            ClientRights.all("", ClientLimits.DEFAULTS).grants(),
            20,
            2,
            ClientLimits.DEFAULTS);
    open(ClientAccounts.open(slow), TcpLimits.DEFAULTS);
    try (RemoteSpace one = connect("");
        RemoteSpace two = connect("")) {
      long beginNs = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        one.test(X);
        two.test(X);
      }
      // 42 messages, of which 21 come at once
      assertThat(System.nanoTime() - beginNs).isGreaterThan(900 * MS);
    }
  }

  @Test
  void shouldLetClientsLeaveWhenItDrains() throws Exception {
    open(TcpLimits.DEFAULTS);
    RemoteSpace client = connect("");
    client.write(X);
    assertThat(server.drain(Duration.ofMillis(50))).isFalse();
    assertThatThrownBy(() -> connect("")).isInstanceOf(IOException.class);
    assertThat(client.test(X)).isTrue();
    client.close();
    assertThat(server.drain(Duration.ofSeconds(60))).isTrue();
    assertThat(server.cutOff()).isZero();
  }

  @Test
  void shouldTellClientsOfItsEnd() throws Exception {
    open(TcpLimits.DEFAULTS);
    try (RemoteSpace client = connect("")) {
      CompletableFuture<Throwable> failure =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  client.take(X, Duration.ofMinutes(10));
                  return null;
                } catch (IllegalStateException | InterruptedException e) {
                  return e;
                }
              });
      until(() -> space.stats().subscriptions() == 1);
      server.close();
      assertThat(failure.get(60, TimeUnit.SECONDS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the host has ended the link");
    }
  }

  @Test
  void shouldCloseConnectionsBeyondTheLimit() throws Exception {
    open(TcpLimits.DEFAULTS.withMaxConnections(2));
    try (TcpPeer one = new TcpPeer(server.address());
        TcpPeer two = new TcpPeer(server.address())) {
      assertThat(one.hello("")).isEqualTo(MessageKind.WELCOME);
      assertThat(two.hello("")).isEqualTo(MessageKind.WELCOME);
      try (TcpPeer three = new TcpPeer(server.address())) {
        assertThat(three.awaitEnd()).isTrue();
      }
      one.writer.request(Operation.TEST, 0, 1, 0).template(X).end();
      one.send();
      assertThat(one.receive()).isEqualTo(MessageKind.ANSWER);
    }
  }

  @Test
  void shouldLetInNoMoreThanMayBeWhenManyComeAtOnce() throws Exception {
    int most = 8;
    open(TcpLimits.DEFAULTS.withMaxConnections(most));
    for (int round = 0; round < 100; round++) {
      long before = server.refused();
      List<TcpPeer> peers = new ArrayList<>();
      for (int i = 0; i < 2 * most; i++) {
        peers.add(new TcpPeer(server.address()));
      }
      until(() -> server.clients() + server.refused() - before == 2 * most);
      assertThat(server.clients()).as("let in, in round %s", round).isEqualTo(most);
      for (TcpPeer peer : peers) {
        peer.close();
      }
      until(() -> server.clients() == 0);
    }
  }

  @Test
  void shouldRefuseToListenForOtherMachinesWithoutTlsAndTokens() throws IOException {
    open(TcpLimits.DEFAULTS);
    ClientAccounts all = ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
    InetSocketAddress any = new InetSocketAddress("0.0.0.0", 0);
    assertThatThrownBy(() -> TcpServer.open(space, any, null, all, TcpLimits.DEFAULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("0.0.0.0", "clients need TLS and tokens", "127.0.0.1");
    ClientAccounts known =
        ClientAccounts.of(Map.of("0123456789abcdef", ClientRights.all("a", ClientLimits.DEFAULTS)));
    assertThatThrownBy(() -> TcpServer.open(space, any, null, known, TcpLimits.DEFAULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("clients need TLS and tokens");
  }
}
