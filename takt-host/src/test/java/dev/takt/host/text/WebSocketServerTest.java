package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.ClientRights.Grant;
import dev.takt.host.ClientRights.Right;
import dev.takt.host.TcpLimits;
import dev.takt.session.Session;
import dev.takt.session.Transport;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import dev.takt.testkit.net.NetworkSettings;
import dev.takt.testkit.net.SimulatedNetwork;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client by WebSocket gets, and what it is refused. */
@Timeout(120)
class WebSocketServerTest {
  private static final String TOKEN = "5f0e2c8f31b94a70";
  private static final long MS = 1_000_000;
  private static final ClientLimits LIMITS =
      ClientLimits.DEFAULTS
          .withWire(WireLimits.DEFAULTS.withMaxMessageBytes(2_048))
          .withMaxTransactionNs(60_000 * MS);

  private static final TcpLimits SILENT = TcpLimits.DEFAULTS.withIdleNs(0);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256));
  private TextServer server;

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
      assertThat(server.clients()).isZero();
    }
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private void open(ClientAccounts accounts, TcpLimits limits, String... origins)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", 0);
    server = TextServer.openWebSockets(space, address, null, accounts, limits, List.of(origins));
  }

  private void open(String... origins) throws IOException {
    open(ClientAccounts.open(ClientRights.all("all", LIMITS)), TcpLimits.DEFAULTS, origins);
  }

  private static void says(Transport client, String request, String... answers) throws IOException {
    client.writeLine(request);
    for (String answer : answers) {
      assertThat(client.readLine()).as("answer to: %s", request).isEqualTo(answer);
    }
  }

  @Test
  void shouldDoWhatObjectsAskFor() throws IOException {
    open();
    try (Transport client = new WebSocketPeer(server.address())) {
      String order = "{\"type\":\"order\",\"id\":7}";
      says(client, "{\"op\":\"write\",\"event\":" + order + "}", "{\"ok\":true}");
      says(
          client,
          "{\n  \"id\": 1,\n  \"op\": \"take\",\n  \"template\": {\"id\": {\"$atLeast\": 5}}\n}",
          "{\"id\":1,\"ok\":true,\"event\":" + order + "}");
      says(client, "{\"id\":2,\"op\":\"take\",\"timeout\":\"1ms\"}", "{\"id\":2,\"ok\":false}");
      says(client, "{\"op\":\"begin\"}", "{\"ok\":true,\"number\":1}");
      says(client, "{\"op\":\"write\",\"event\":{\"a\":1}}", "{\"ok\":true}");
      says(client, "{\"id\":3,\"op\":\"count\"}", "{\"id\":3,\"ok\":true,\"number\":0}");
      says(client, "{\"id\":4,\"op\":\"test\",\"in\":1}", "{\"id\":4,\"ok\":true}");
      says(client, "{\"op\":\"commit\"}", "{\"ok\":true}");
      says(client, "{\"op\":\"read-all\"}", "{\"event\":{\"a\":1}}", "{\"ok\":true,\"number\":1}");
      says(
          client,
          "{\"op\":\"subscribe\",\"subscription\":3,\"template\":{\"b\":null}}",
          "{\"ok\":true}");
      space.write(new Event("b", 2));
      assertThat(client.readLine()).isEqualTo("{\"match\":3}");
      says(client, "{\"op\":\"next\",\"subscription\":3}", "{\"ok\":true,\"event\":{\"b\":2}}");
      says(client, "{\"id\":9,\"op\":\"quit\"}", "{\"id\":9,\"ok\":true}");
      assertThat(client.readLine()).isNull();
    }
    assertThat(server.cutOff()).isZero();
  }

  @Test
  void shouldSayWhatIsWrongAndGoOn() throws IOException {
    open();
    try (Transport client = new WebSocketPeer(server.address())) {
      for (String[] each :
          new String[][] {
            {"", "\"error\":\"argument\""},
            {"[1]", "request=[1], expected: an object"},
            {"{\"id\":1}", "{\"id\":1,\"error\":\"argument\",\"text\":\"op="},
            {"{\"id\":1,\"op\":\"wirte\"}", "operation=wirte"},
            {"{\"id\":0,\"op\":\"count\"}", "number of the request=0"},
            {"{\"id\":1.5,\"op\":\"count\"}", "id=1.5"},
            {"{\"id\":4,\"op\":\"write\"}", "event="},
            {"{\"id\":4,\"op\":\"write\",\"event\":{\"a\":null}}", "value of a"},
            {"{\"id\":4,\"op\":\"take\",\"template\":7}", "event or template=7"},
            {"{\"id\":4,\"op\":\"take\",\"timeout\":5}", "timeout=5, expected: a text"},
            {"{\"id\":4,\"op\":\"take\",\"timeout\":\"soon\"}", "time=soon"},
            {"{\"id\":4,\"op\":\"count\",\"event\":{}}", "member=event"},
            {"{\"id\":4,\"op\":\"next\"}", "subscription="},
            {"{\"id\":4,\"op\":\"subscribe\",\"subscription\":1,\"quiet\":1}", "quiet=1"},
            {"{\"id\":4,\"op\":\"commit\"}", "\"error\":\"state\""},
            {"{\"op\":\"token\",\"token\":\"x\"}", "\"error\":\"forbidden\""},
            {"[".repeat(1_000), "depth at character 17"},
            {"{\"a\":" + "[".repeat(5_000), "depth"},
          }) {
        client.writeLine(each[0]);
        assertThat(client.readLine()).as(each[0]).contains(each[1]);
      }
      says(client, "{\"op\":\"count\"}", "{\"ok\":true,\"number\":0}");
    }
  }

  @Test
  void shouldRefuseWhatIsNoHandshake() throws IOException {
    open();
    String good = RawWebSocket.request();
    assertThat(status(good)).isEqualTo("HTTP/1.1 101 Switching Protocols");
    assertThat(status(good.replace("GET", "POST"))).contains(" 400 ");
    assertThat(status(good.replace("HTTP/1.1", "HTTP/1.0"))).contains(" 400 ");
    assertThat(status(good.replace("Host: localhost\n", ""))).contains(" 400 ");
    assertThat(status(good.replace("Host", "Host "))).contains(" 400 ");
    assertThat(status(good.replace("WebSocket\n", "h2c\n"))).contains(" 426 ");
    assertThat(status(good.replace("keep-alive, Upgrade", "close"))).contains(" 426 ");
    assertThat(status(good.replace("Version: 13", "Version: 8"))).contains(" 426 ");
    assertThat(status(good.replace("dGhl", "dGh"))).contains(" 400 ");
    assertThat(status(good.replace("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBs"))).contains(" 400 ");
    assertThat(status(RawWebSocket.request("Host: other"))).contains(" 400 ");
    assertThat(status(RawWebSocket.request("no header"))).contains(" 400 ");
    assertThat(status(RawWebSocket.request("A: \u0001"))).contains(" 400 ");
    assertThat(status(RawWebSocket.request("A: b\n".repeat(60) + "A: b"))).contains(" 431 ");
    assertThat(status(RawWebSocket.request("A: " + "b".repeat(8_100)))).contains(" 431 ");
    requireCutOff(14);
  }

  private String status(String request) throws IOException {
    try (RawWebSocket client = new RawWebSocket(server.address())) {
      String status = client.shakeHands(request);
      if (status.contains(" 101 ")) {
        client.send(RawWebSocket.frame(true, RawWebSocket.CLOSE, new byte[0]));
        assertThat(client.closeCode()).isEqualTo(1000);
      }
      return status;
    }
  }

  @Test
  void shouldLetInPagesOfThisMachineAndThoseThatAreAllowed() throws IOException {
    open("https://example.org", "null");
    for (String origin :
        List.of(
            "http://localhost",
            "http://localhost:8080",
            "https://127.0.0.1:1",
            "http://[::1]:8000",
            "https://example.org",
            "null")) {
      assertThat(status(RawWebSocket.request("Origin: " + origin))).as(origin).contains(" 101 ");
    }
    for (String origin :
        List.of(
            "https://example.com",
            "http://example.org",
            "https://example.org:444",
            "https://example.org.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://localhost@example.com",
            "http://",
            "%")) {
      assertThat(status(RawWebSocket.request("Origin: " + origin))).as(origin).contains(" 403 ");
    }
    server.close();
    open();
    assertThat(status(RawWebSocket.request("Origin: null"))).contains(" 403 ");
  }

  @Test
  void shouldSayHowAnOriginIsAllowed() {
    byte[] request =
        RawWebSocket.request("Origin: null")
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    assertThatThrownBy(
            () -> WebSocketHandshake.accept(new ByteArrayInputStream(request), answer, List.of()))
        .isInstanceOf(IOException.class);
    assertThat(answer.toString(StandardCharsets.ISO_8859_1)).contains(" 403 ", "--origin");
  }

  @Test
  void shouldReadTextsInPiecesWithPingsBetween() throws IOException {
    open();
    byte[] text = "{\"op\":\"write\",\"event\":{\"a\":\"é\"}}".getBytes(StandardCharsets.UTF_8);
    try (RawWebSocket client = RawWebSocket.connect(server.address())) {
      for (int i = 0; i < text.length; i++) { // also within the character of two bytes
        client.send(RawWebSocket.frame(false, i == 0 ? 1 : 0, new byte[] {text[i]}));
      }
      client.send(RawWebSocket.frame(true, RawWebSocket.PING, "there?".getBytes()));
      assertThat(client.receiveText()).isEqualTo("there?");
      assertThat(client.opcode).isEqualTo(RawWebSocket.PONG);
      client.send(RawWebSocket.frame(true, RawWebSocket.PONG, new byte[0]));
      client.send(RawWebSocket.frame(true, 0, new byte[0]));
      assertThat(client.receiveText()).isEqualTo("{\"ok\":true}");
      assertThat(client.opcode).isEqualTo(RawWebSocket.TEXT);
    }
    assertThat(space.take(new Event("a", "é"), new Event())).isTrue();
  }

  @Test
  void shouldCloseWithTheCodeOfWhatIsWrong() throws IOException {
    open();
    byte[] text = "{\"op\":\"count\"}".getBytes(StandardCharsets.UTF_8);
    byte[] good = RawWebSocket.frame(true, 1, text);
    byte[] unmasked = good.clone();
    unmasked[1] &= 0x7F;
    byte[] extended = good.clone();
    extended[0] |= 0x40;
    closes(1002, unmasked);
    closes(1002, extended);
    closes(1002, RawWebSocket.frame(true, 3, text));
    closes(1002, RawWebSocket.frame(true, 11, text));
    closes(1002, RawWebSocket.frame(true, 0, text)); // nothing goes on
    closes(1002, RawWebSocket.frame(false, 1, text), good); // a text within one
    closes(1002, RawWebSocket.frame(false, RawWebSocket.PING, new byte[0]));
    closes(1002, RawWebSocket.frame(true, RawWebSocket.PING, new byte[126]));
    closes(1002, new byte[] {(byte) 0x81, (byte) 0xFE, 0, 5}); // a longer form
    closes(1002, new byte[] {(byte) 0x81, (byte) 0xFF, -1, -1, -1, -1, -1, -1, -1, -1});
    closes(1003, RawWebSocket.frame(true, 2, text));
    closes(1007, RawWebSocket.frame(true, 1, new byte[] {'{', (byte) 0xC3, '}'}));
    closes(1007, RawWebSocket.frame(true, 1, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}));
    closes(1009, new byte[] {(byte) 0x81, (byte) 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4});
    closes(1009, RawWebSocket.frame(true, 1, new byte[8 * 2_048 + 4_097]));
    closes(1002, closing(new byte[] {3}));
    closes(1002, closing(new byte[] {3, (byte) 0xED})); // 1005
    closes(1007, closing(new byte[] {3, (byte) 0xE8, (byte) 0xFF}));
    requireCutOff(18);
    closes(1000, closing(new byte[0]));
    closes(1001, closing(new byte[] {3, (byte) 0xE9, 'b', 'y', 'e'}));
    closes(4000, closing(new byte[] {15, (byte) 0xA0}));
    requireCutOff(18);
  }

  private void requireCutOff(int expected) {
    while (server.clients() > 0) { // it counts before a client has left
      Thread.onSpinWait();
    }
    assertThat(server.cutOff()).isEqualTo(expected);
  }

  private static byte[] closing(byte[] payload) {
    return RawWebSocket.frame(true, RawWebSocket.CLOSE, payload);
  }

  private void closes(int code, byte[]... frames) throws IOException {
    try (RawWebSocket client = RawWebSocket.connect(server.address())) {
      for (byte[] frame : frames) {
        client.send(frame);
      }
      assertThat(client.closeCode()).isEqualTo(code);
    }
  }

  @Test
  void shouldGiveEachTokenItsRights() throws IOException {
    Grant mayRead = new Grant(Set.of(Right.READ), new Template("a", null));
    ClientRights rights = new ClientRights("reader", List.of(mayRead), 1_000_000, 1, LIMITS);
    open(ClientAccounts.of(Map.of(TOKEN, rights)), TcpLimits.DEFAULTS);
    space.write(new Event("a", 1));
    String token = "{\"op\":\"token\",\"token\":\"" + TOKEN + "\"}";
    for (String wrong : List.of("{\"op\":\"count\"}", "x", token.replace("70", "71"))) {
      try (Transport client = new WebSocketPeer(server.address())) {
        client.writeLine(wrong);
        assertThat(client.readLine()).startsWith("{\"error\":\"forbidden\",").contains("token");
        assertThat(client.readLine()).isNull();
      }
    }
    try (RawWebSocket client = RawWebSocket.connect(server.address())) {
      client.send(RawWebSocket.text("x".repeat(1_025)));
      assertThat(client.closeCode()).isEqualTo(1009);
    }
    try (Transport client = new WebSocketPeer(server.address());
        Transport second = new WebSocketPeer(server.address())) {
      says(client, token, "{\"ok\":true}");
      String one = "{\"op\":\"read\",\"template\":{\"a\":1}}";
      says(client, one, "{\"ok\":true,\"event\":{\"a\":1}}");
      client.writeLine("{\"id\":2,\"op\":\"take\",\"template\":{\"a\":1}}");
      assertThat(client.readLine())
          .startsWith("{\"id\":2,\"error\":\"forbidden\",")
          .contains("client reader has no right to take");
      client.writeLine("{\"id\":3,\"op\":\"count\"}");
      assertThat(client.readLine()).contains("no right to read");
      second.writeLine(token);
      assertThat(second.readLine()).contains("too many sessions: limit=1");
    }
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  @Test
  void shouldCutOffWhoIsSlowOrDoesNotRead() throws IOException {
    open(
        ClientAccounts.open(ClientRights.all("all", LIMITS)),
        TcpLimits.DEFAULTS.withMessageNs(100 * MS).withWriteNs(100 * MS));
    try (RawWebSocket noRequest = new RawWebSocket(server.address());
        RawWebSocket halfRequest = new RawWebSocket(server.address());
        RawWebSocket halfFrame = RawWebSocket.connect(server.address());
        RawWebSocket halfText = RawWebSocket.connect(server.address());
        RawWebSocket idle = RawWebSocket.connect(server.address())) {
      halfRequest.send("GET / HT".getBytes(StandardCharsets.US_ASCII));
      halfFrame.send(new byte[] {(byte) 0x81});
      halfText.send(RawWebSocket.frame(false, 1, new byte[] {'{'}));
      for (RawWebSocket each : List.of(noRequest, halfRequest, halfFrame, halfText)) {
        assertThat(each.socket.getInputStream().read()).isNegative();
      }
      idle.send(RawWebSocket.text("{\"op\":\"count\"}"));
      assertThat(idle.receiveText()).isEqualTo("{\"ok\":true,\"number\":0}");
      space.write(new Event("a", new byte[80]));
      byte[] read = RawWebSocket.text("{\"op\":\"read\"}");
      while (server.cutOff() < 5) { // it never reads what it is answered
        try {
          idle.send(read);
        } catch (IOException cutOff) {
          break;
        }
      }
    }
    requireCutOff(5);
  }

  // ---- in a simulated network

  private static byte[] conversation() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(RawWebSocket.request().replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
    all.write(RawWebSocket.text("{\"op\":\"write\",\"event\":{\"a\":\"é\"}}"));
    all.write(RawWebSocket.frame(true, RawWebSocket.PING, new byte[] {'p'}));
    byte[] text = "{\"op\":\"take\"}".getBytes(StandardCharsets.UTF_8);
    all.write(RawWebSocket.frame(false, 1, Arrays.copyOf(text, 4)));
    all.write(RawWebSocket.frame(true, 0, Arrays.copyOfRange(text, 4, text.length)));
    all.write(closing(new byte[0]));
    return all.toByteArray();
  }

  private static Session<String> talk(SimulatedNetwork network, EventSpace space)
      throws IOException {
    ServerSocket listening = network.listen(7);
    ClientAccounts accounts = ClientAccounts.open(ClientRights.all("all", LIMITS));
    TextProtocol protocol = TextProtocol.start(space, accounts, TextForm.JSON, SILENT, network);
    network.start(
        "host",
        () -> {
          Socket socket = listening.accept();
          protocol.serve(WebSocketTransport.accept(socket, socket, TcpLimits.DEFAULTS, List.of()));
          return null;
        });
    byte[] sent = conversation();
    return network.start(
        "client",
        () -> {
          try (Socket socket = network.connect(7)) {
            socket.getOutputStream().write(sent);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
          }
        });
  }

  @Test
  void shouldAnswerFramesWhereverTheyAreCut() throws IOException {
    SimulatedNetwork.everySplit(
        conversation().length,
        NetworkSettings.DEFAULTS,
        network -> {
          EventSpace of = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
          Session<String> client = talk(network, of);
          network.runFor(Duration.ofMinutes(10));
          assertThat(client.outcome()).as("%s", network).isNotNull();
          assertThat(client.outcome().value())
              .startsWith("HTTP/1.1 101 ")
              .contains("\u008A\u0001p", "{\"ok\":true}", "{\"ok\":true,\"event\":{\"a\":\"Ã©\"}}")
              .endsWith("\u0088\u0002\u0003\u00e8");
          assertThat(of.count(new Event())).isZero();
        });
  }

  @Test
  void shouldLeaveNothingBehindWhateverTheNetworkDoes() {
    SimulatedNetwork.explore(
        100,
        NetworkSettings.HOSTILE,
        network -> {
          EventSpace of = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(16));
          talk(network, of);
          network.runFor(Duration.ofMinutes(120));
          assertThat(of.stats().subscriptions()).as("%s", network).isZero();
          assertThat(of.stats().events()).isEqualTo(of.count(new Event()));
        });
  }
}
