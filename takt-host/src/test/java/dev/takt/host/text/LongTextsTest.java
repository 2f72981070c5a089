package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines and texts by WebSocket that are longer than what each connection has room for. */
@Timeout(120)
class LongTextsTest {
  private static final int LIMIT = 1 << 20;
  private static final int SENDERS = 100;

  /** What is counted of a line that has begun. */
  private static final int COUNTED = 2 * (1 << 16);

  private static final String LONG = "x".repeat(40_000);
  private static final String EVENT = "{\"text\":\"" + LONG + "\"}";
  private static final Event ANY = new Event("text", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256));
  private final ClientAccounts accounts =
      ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
  private final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final List<AutoCloseable> peers = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : peers) {
      each.close();
    }
  }

  private static void until(BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("its time is over").isFalse();
      Thread.onSpinWait();
    }
  }

  private static TcpLimits limits(long incoming) {
    return TcpLimits.DEFAULTS.withMaxIncomingBytes(incoming);
  }

  // ---- requests

  private Socket connect(TextServer server) throws IOException {
    Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
    peers.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldRefuseLongLinesWhileTooManyAreOnTheirWay() throws Exception {
    try (TextServer server = TextServer.openLines(space, any, null, accounts, limits(LIMIT));
        Transport other = SocketTransport.connect(server.address(), LineHost.CLIENT)) {
      List<Socket> slow = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        Socket sender = connect(server);
        send(sender, "write {\"text\":\"" + LONG);
        if (slow.size() < LIMIT / COUNTED) {
          slow.add(sender);
          until(() -> server.incoming.bytes() == (long) slow.size() * COUNTED);
        } else {
          String answer =
              new String(sender.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          assertThat(answer)
              .startsWith("error protocol the host has no room for 32768 bytes of texts: ")
              .contains(
                  LIMIT + " bytes of others are on their way",
                  "limit=" + LIMIT,
                  "TcpLimits.maxIncomingBytes",
                  "send less in one, try again later",
                  "more heap")
              .hasLineCount(1);
          sender.close();
        }
        assertThat(server.incoming.bytes()).isLessThanOrEqualTo(LIMIT);
        other.writeLine("count");
        assertThat(other.readLine()).isEqualTo("ok 0");
      }
      send(slow.get(0), "\"}\n");
      assertThat(slow.get(0).getInputStream().readNBytes(3)).asString().isEqualTo("ok\n");
      slow.get(1).close();
      until(() -> server.incoming.bytes() == (long) (slow.size() - 2) * COUNTED);
      other.writeLine("write " + EVENT);
      assertThat(other.readLine()).isEqualTo("ok");
      assertThat(space.count(ANY)).isEqualTo(2);
      close();
      until(() -> server.incoming.bytes() == 0);
    }
  }

  @Test
  void shouldRefuseLongTextsByWebSocketWhileTooManyAreOnTheirWay() throws Exception {
    byte[] frame = RawWebSocket.text("{\"op\":\"write\",\"event\":" + EVENT + "}");
    byte[] begin = Arrays.copyOf(frame, 40_000);
    try (TextServer server =
            TextServer.openWebSockets(space, any, null, accounts, limits(LIMIT), List.of());
        RawWebSocket other = RawWebSocket.connect(server.address())) {
      List<RawWebSocket> slow = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        RawWebSocket sender = RawWebSocket.connect(server.address());
        peers.add(sender);
        sender.send(begin);
        if (slow.size() < LIMIT / COUNTED) {
          slow.add(sender);
          until(() -> server.incoming.bytes() == (long) slow.size() * COUNTED);
        } else {
          assertThat(sender.receiveText())
              .startsWith("{\"error\":\"protocol\",\"text\":\"the host has no room for 32768 bytes")
              .contains("limit=" + LIMIT, "TcpLimits.maxIncomingBytes");
          assertThat(sender.closeCode()).isEqualTo(1013);
          sender.close();
        }
        assertThat(server.incoming.bytes()).isLessThanOrEqualTo(LIMIT);
        other.send(RawWebSocket.text("{\"op\":\"count\"}"));
        assertThat(other.receiveText()).isEqualTo("{\"ok\":true,\"number\":0}");
      }
      slow.get(0).close();
      until(() -> server.incoming.bytes() == (long) (slow.size() - 1) * COUNTED);
      other.send(frame);
      assertThat(other.receiveText()).isEqualTo("{\"ok\":true}");
      close();
      until(() -> server.incoming.bytes() == 0);
    }
  }

  @Test
  void shouldTakeASingleLineOfAnyLength() throws Exception {
    try (TextServer server = TextServer.openLines(space, any, null, accounts, limits(1));
        Transport client = SocketTransport.connect(server.address(), LineHost.CLIENT)) {
      for (int i = 1; i <= 3; i++) {
        client.writeLine("write " + EVENT + " ".repeat(400_000));
        assertThat(client.readLine()).isEqualTo("ok");
        client.writeLine("count");
        assertThat(client.readLine()).isEqualTo("ok " + i);
      }
    }
  }

  // ---- answers

  private HeldTransport serve(Sessions sessions, TextProtocol protocol) {
    HeldTransport client = new HeldTransport();
    sessions.start(
        "client",
        () -> {
          protocol.serve(client);
          return null;
        });
    return client;
  }

  private TextProtocol start(TextForm form, long limit, Sessions sessions) {
    TcpLimits limits = TcpLimits.DEFAULTS.withMaxOutgoingBytes(limit);
    return TextProtocol.start(space, accounts, form, limits, sessions);
  }

  @Test
  void shouldCutOffWhoseLongAnswersHaveNoRoom() throws Exception {
    String answer = "ok " + EVENT;
    long counted = 2L * answer.length();
    for (int i = 0; i < 3; i++) {
      space.write(new Event("text", LONG));
    }
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TextProtocol protocol = start(TextForm.LINES, LIMIT, sessions);
      List<HeldTransport> slow = new ArrayList<>();
      for (long bytes = counted; bytes <= LIMIT; bytes += counted) {
        HeldTransport client = serve(sessions, protocol);
        slow.add(client);
        client.ask("read"); // and does not read the answer
        until(() -> protocol.outgoing.bytes() == slow.size() * counted);
      }
      for (int i = slow.size(); i < SENDERS; i++) {
        HeldTransport refused = serve(sessions, protocol);
        refused.ask("take");
        refused.ask("take");
        assertThat(refused.answer())
            .startsWith("error protocol the host has no room for " + answer.length() + " bytes")
            .contains(
                slow.size() * counted + " bytes of others are on their way",
                "limit=" + LIMIT,
                "TcpLimits.maxOutgoingBytes",
                "ask for less at once, read what is answered, try again later",
                "more heap");
        until(() -> space.count(ANY) == 3); // what it had taken is put back
        assertThat(protocol.outgoing.bytes()).isEqualTo(slow.size() * counted);
        HeldTransport other = serve(sessions, protocol);
        other.ask("count");
        assertThat(other.answer()).isEqualTo("ok 3");
        other.ask("quit");
        assertThat(other.answer()).isEqualTo("ok");
        until(() -> accounts.find("").sessions() == slow.size());
      }
      assertThat(slow.get(0).answer()).isEqualTo(answer);
      until(() -> protocol.outgoing.bytes() == (slow.size() - 1) * counted);
      HeldTransport next = serve(sessions, protocol);
      next.ask("take");
      assertThat(next.answer()).isEqualTo(answer);
      slow.forEach(HeldTransport::close);
      next.close();
      until(() -> accounts.find("").sessions() == 0);
      until(() -> protocol.outgoing.bytes() == 0);
      protocol.end();
    }
  }

  @Test
  void shouldHaveNoFurtherRequestDoneWhileALongAnswerIsNotRead() throws Exception {
    space.write(new Event("text", LONG));
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TextProtocol protocol = start(TextForm.LINES, LIMIT, sessions);
      HeldTransport client = serve(sessions, protocol);
      for (int i = 1; i <= SENDERS; i++) {
        client.ask("#" + i + " read");
      }
      for (int i = 1; i <= SENDERS; i++) {
        String answer = "#" + i + " ok " + EVENT;
        until(() -> protocol.outgoing.bytes() == 2L * answer.length());
        assertThat(client.answer()).isEqualTo(answer);
      }
      client.close();
      until(() -> accounts.find("").sessions() == 0);
      protocol.end();
    }
  }

  @Test
  void shouldTellOfAMatchThatHadNoRoomBehindALongAnswer() throws Exception {
    space.write(new Event("text", LONG));
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TextProtocol protocol = start(TextForm.LINES, LIMIT, sessions);
      HeldTransport slow = serve(sessions, protocol);
      HeldTransport other = serve(sessions, protocol);
      for (HeldTransport each : List.of(slow, other)) {
        each.ask("subscribe 1 {\"a\":1}");
        assertThat(each.answer()).isEqualTo("ok");
      }
      slow.ask("read {\"text\":null}");
      until(() -> protocol.outgoing.bytes() > 0);
      space.write(new Event("a", 1));
      assertThat(other.answer()).isEqualTo("match 1");

      assertThat(slow.answer()).isEqualTo("ok " + EVENT);
      assertThat(slow.answer()).isEqualTo("match 1");

      slow.close();
      other.close();
      until(() -> accounts.find("").sessions() == 0);
      protocol.end();
    }
  }

  /** It is no lost connection, of which there are many, and nobody is told. */
  @Test
  void shouldWarnOfAnAnswerThatIsTooLongForALine() throws Exception {
    ClientLimits long16 =
        ClientLimits.DEFAULTS.withWire(
            WireLimits.DEFAULTS.withMaxMessageBytes(WireLimits.MOST_MESSAGE_BYTES));
    ClientAccounts all = ClientAccounts.open(ClientRights.all("all", long16));
    space.write(new Event("text", "\u0001".repeat(3_000_000))); // six characters of JSON each
    BlockingQueue<LogRecord> warnings = new LinkedBlockingQueue<>();
    Logger log = Logger.getLogger(Sessions.LOG);
    Filter before = log.getFilter();
    log.setFilter(record -> !warnings.add(record)); // and nothing is printed
    try (TextServer server = TextServer.openLines(space, any, null, all, TcpLimits.DEFAULTS);
        Socket client = connect(server)) {
      send(client, "read\n");
      assertThat(client.getInputStream().readAllBytes()).as("before it is cut off").isEmpty();
      LogRecord warning = warnings.take();
      assertThat(warning.getLevel()).isEqualTo(Level.WARNING);
      assertThat(warning.getThrown())
          .hasMessage("an answer of the host is no line")
          .cause()
          .hasMessageContaining("" + TextProtocol.MAX_TEXT_BYTES);
    } finally {
      log.setFilter(before);
    }
  }

  // ---- what is kept

  /** Otherwise as many clients as may be keep as much of the heap as they like, and do nothing. */
  @Test
  void shouldKeepNothingOfALongRequestAndItsAnswer() throws Exception {
    List<String> ones = Collections.nCopies(8_000, "1");
    String junk = "{\"op\":\"count\",\"junk\":[" + String.join(",", ones) + "],";
    String array = "{\"$doubles\":[" + String.join(",", ones) + "]}"; // longer as a message
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TextProtocol lines = start(TextForm.LINES, LIMIT, sessions);
      TextProtocol objects = start(TextForm.JSON, LIMIT, sessions);
      List<HeldTransport> clients = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        HeldTransport client = serve(sessions, i % 2 == 0 ? lines : objects);
        clients.add(client);
        client.ask(i % 2 == 0 ? "count" : "{\"op\":\"count\"}");
        client.answer();
        client.isForgetful = true;
      }
      long before = usedBytes();
      for (int i = 0; i < SENDERS; i++) {
        HeldTransport client = clients.get(i);
        if (i % 2 == 0) {
          client.ask(() -> "write " + EVENT);
          client.ask(() -> "take {\"text\":null}");
          client.ask(() -> "test {\"b\":" + array + "}");
        } else {
          client.ask(() -> "{\"op\":\"write\",\"event\":" + EVENT + "}");
          client.ask(() -> "{\"op\":\"take\",\"template\":{\"text\":null}}");
          client.ask(() -> junk + "\"more\":\"" + LONG + "\"}");
        }
        for (int k = 0; k < 3; k++) {
          client.answer();
        }
      }
      long keptBytes = (usedBytes() - before) / SENDERS;
      assertThat(keptBytes).as("of each connection").isLessThan(150_000);
      assertThat(space.count(new Event())).isZero();
      clients.forEach(HeldTransport::close);
      until(() -> accounts.find("").sessions() == 0);
      lines.end();
      objects.end();
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
