package dev.takt.host.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.host.ClientAccounts;
import dev.takt.host.ClientLimits;
import dev.takt.host.ClientRights;
import dev.takt.host.TcpLimits;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever texts and bytes come, the host and its other clients go on. */
@Timeout(3_600)
class HostileTextTest {
  private static final int FULL = 1_000_000;
  private static final String TOKEN = "5f0e2c8f31b94a70";
  private static final String SIGNS = "{}[]\"\\:,#$0-9e. \n\u0001";
  private static final int GIVEN_UP_MS = 1_000;
  private static final Event X = new Event("x", 1);

  private static final List<String> LINES =
      """
      write {"a":1,"b":"text","c":2.5,"d":{"$uuid":"00000000-0000-0001-0000-000000000002"}}
      #1 try-write {"a":{"$doubles":[1.5,{"$number":"NaN"}]},"b":["x",null]}
      read {"a":{"$all":[{"$atLeast":5},{"$not":7}]}}
      #2 take {"q":{"$between":[1,2]}} forever
      #3 read {"q":{"$any":true}} 5ms
      test {"a":null}
      count
      take-all 5 {"b":"text"}
      read-all {"a":1}
      subscribe 3 {"a":1} quiet
      subscribe 4 {"a":{"$bigDecimal":["0x1f",3]}}
      next 3
      has-next 4
      unsubscribe 4
      begin 5 1
      write {"t":{"$instant":"2026-01-02T03:04:05Z"}}
      take-now {"a":1}
      in 1 peek {"a":1}
      commit
      #7 begin
      #8 in 1 rollback
      cancel 2
      received 3
      hello
      help
      token x
      """
          .lines()
          .toList();

  private static final List<String> OBJECTS =
      """
      {"op":"write","event":{"a":1,"b":"text","c":2.5,"d":{"$bytes":"AQI="}}}
      {"id":1,"op":"try-write","event":{"a":{"$doubles":[1.5,{"$number":"NaN"}]},"b":["x",null]}}
      {"op":"read","template":{"a":{"$all":[{"$atLeast":5},{"$not":7}]}}}
      {"id":2,"op":"take","template":{"q":{"$between":[1,2]}},"timeout":"forever"}
      {"id":3,"op":"read","template":{"q":{"$any":true}},"timeout":"5ms"}
      {"op":"test","template":{"a":null}}
      {"op":"count"}
      {"op":"take-all","max":5,"template":{"b":"text"}}
      {"op":"read-all","template":{"a":1}}
      {"op":"subscribe","subscription":3,"template":{"a":1},"quiet":true}
      {"op":"next","subscription":3}
      {"op":"has-next","subscription":3}
      {"op":"unsubscribe","subscription":3}
      {"op":"begin","priority":5,"retries":1}
      {"op":"write","event":{"t":{"$instant":"2026-01-02T03:04:05Z"}}}
      {"op":"take-now","template":{"a":1}}
      {"in":1,"op":"peek","template":{"a":1}}
      {"op":"commit"}
      {"id":7,"op":"begin"}
      {"id":8,"in":1,"op":"rollback"}
      {"op":"cancel","request":2}
      {"op":"received","request":3}
      {"id":9,"op":"hello"}
      {"op":"token","token":"x"}
      """
          .lines()
          .toList();

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(512));
  private final Random random = new Random(Seeds.seed());
  private TextServer server;

  @AfterEach
  void close() {
    server.close();
    assertThat(server.clients()).isZero();
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.stats().events()).isEqualTo(space.count(new Event()));
  }

  private static ClientAccounts everybody() {
    return ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
  }

  private void openLines(ClientAccounts accounts, TcpLimits limits) throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", 0);
    server = TextServer.openLines(space, address, null, accounts, limits);
  }

  private void openWebSockets() throws IOException {
    InetSocketAddress address = new InetSocketAddress("localhost", 0);
    server =
        TextServer.openWebSockets(space, address, null, everybody(), TcpLimits.DEFAULTS, List.of());
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private Transport lines() throws IOException {
    return SocketTransport.connect(server.address(), LineHost.CLIENT);
  }

  // ---- mutation

  /** Changes, repeats, leaves out or moves some bytes. */
  private byte[] mutated(byte[] bytes) {
    byte[] mutated = bytes.clone();
    for (int k = random.nextInt(1, 6); k > 0; k--) {
      int at = random.nextInt(mutated.length);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = (byte) random.nextInt();
        case 1 -> mutated[at] = (byte) SIGNS.charAt(random.nextInt(SIGNS.length()));
        case 2 -> mutated[at] = mutated[random.nextInt(mutated.length)];
        default -> {
          int count = random.nextInt(mutated.length - at);
          int to = random.nextInt(mutated.length - count);
          System.arraycopy(mutated, at, mutated, to, count);
        }
      }
    }
    return mutated;
  }

  /**
   * Sends, and reads what is answered until the host ends the connection, or for a while nothing: a
   * request may have become one that waits for ever.
   */
  private void exchange(Socket socket, byte[] bytes) {
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (InputStream in = socket.getInputStream()) {
                    socket.setSoTimeout(GIVEN_UP_MS);
                    in.skip(Long.MAX_VALUE);
                  } catch (IOException cutOff) {
                    // as it may be
                  }
                });
    try {
      int cut = random.nextInt(bytes.length);
      socket.getOutputStream().write(bytes, 0, cut);
      socket.getOutputStream().write(bytes, cut, bytes.length - cut);
      socket.shutdownOutput();
    } catch (IOException cutOff) {
      // as it may be
    }
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void requireGoingOn() {
    while (space.take(new Event(), new Event())) {
      // room for the next ones
    }
    space.write(X);
    assertThat(space.take(X, new Event())).isTrue();
  }

  @Test
  void shouldGoOnWhateverLinesCome() throws IOException {
    openLines(everybody(), TcpLimits.DEFAULTS);
    try (Transport other = lines()) {
      for (int i = Seeds.size(200, FULL / LINES.size() + 1); i > 0; i--) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String line : LINES) {
          all.write(mutated(line.getBytes(StandardCharsets.UTF_8)));
          all.write('\n');
        }
        try (Socket socket = connect()) {
          exchange(socket, all.toByteArray());
        }
        requireGoingOn();
        other.writeLine("test {\"none\":1}");
        assertThat(other.readLine()).as("round %s", i).isEqualTo("none");
      }
    }
  }

  @Test
  void shouldGoOnWhateverObjectsComeByWebSocket() throws IOException {
    openWebSockets();
    try (RawWebSocket other = RawWebSocket.connect(server.address())) {
      for (int i = Seeds.size(200, FULL / OBJECTS.size() + 1); i > 0; i--) {
        boolean breaksFrames = random.nextInt(4) == 0;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String text : OBJECTS) {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          byte[] frame = RawWebSocket.frame(true, 1, breaksFrames ? bytes : ascii(mutated(bytes)));
          all.write(breaksFrames && random.nextInt(4) == 0 ? mutated(frame) : frame);
        }
        try (RawWebSocket client = RawWebSocket.connect(server.address())) {
          exchange(client.socket, all.toByteArray());
        }
        requireGoingOn();
        other.send(RawWebSocket.text("{\"op\":\"count\",\"template\":{\"none\":1}}"));
        assertThat(other.receiveText()).as("round %s", i).isEqualTo("{\"ok\":true,\"number\":0}");
      }
    }
  }

  /** Keeps a text that is no UTF-8 from ending the connection before all others; some stay so. */
  private byte[] ascii(byte[] bytes) {
    if (random.nextInt(100) > 0) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] &= 0x7F;
      }
    }
    return bytes;
  }

  @Test
  void shouldGoOnWhateverRequestsOfHttpCome() throws IOException {
    openWebSockets();
    byte[] request =
        RawWebSocket.request("Origin: http://localhost", "A: b")
            .replace("\n", "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (int i = Seeds.size(300, 20_000); i > 0; i--) {
      try (Socket socket = connect()) {
        exchange(socket, mutated(request));
      }
    }
    assertThat(server.cutOff()).isPositive();
    try (RawWebSocket client = RawWebSocket.connect(server.address())) {
      client.send(RawWebSocket.text("{\"op\":\"count\"}"));
      assertThat(client.receiveText()).isEqualTo("{\"ok\":true,\"number\":0}");
    }
  }

  // ---- lines of whom nobody knows

  @Test
  void shouldDoNothingForLinesBeforeTheToken() throws IOException {
    ClientRights rights = ClientRights.all("a", ClientLimits.DEFAULTS);
    openLines(ClientAccounts.of(Map.of(TOKEN, rights)), TcpLimits.DEFAULTS);
    for (String wrong : List.of("write {\"a\":1}", "help", "", "token", "token " + TOKEN + "1")) {
      try (Transport client = lines()) {
        client.writeLine(wrong);
        assertThat(client.readLine()).as(wrong).startsWith("error forbidden ").contains("token");
        assertThat(client.readLine()).isNull();
      }
    }
    try (Socket socket = connect()) {
      exchange(socket, new byte[1 << 16]); // a long line
    }
    try (Transport client = lines()) {
      client.writeLine("#5 token " + TOKEN);
      assertThat(client.readLine()).isEqualTo("#5 ok");
      client.writeLine("write {\"a\":\"" + "x".repeat(2_000) + "\"}");
      assertThat(client.readLine()).isEqualTo("ok");
      client.writeLine("token " + TOKEN);
      assertThat(client.readLine()).startsWith("error forbidden ");
    }
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  @Test
  void shouldCutOffWhoSendsALineOrItsTokenTooSlowly() throws IOException {
    ClientRights rights = ClientRights.all("a", ClientLimits.DEFAULTS);
    openLines(
        ClientAccounts.of(Map.of(TOKEN, rights)), TcpLimits.DEFAULTS.withMessageNs(100_000_000));
    try (Socket silent = connect();
        Socket slow = connect();
        Socket known = connect();
        Transport idle = lines()) {
      slow.getOutputStream().write('t');
      known.getOutputStream().write(("token " + TOKEN + "\nc").getBytes(StandardCharsets.UTF_8));
      idle.writeLine("token " + TOKEN);
      assertThat(idle.readLine()).isEqualTo("ok");
      assertThat(silent.getInputStream().read()).isNegative();
      assertThat(slow.getInputStream().read()).isNegative();
      assertThat(known.getInputStream().readAllBytes()).asString().isEqualTo("ok\n");
      idle.writeLine("count");
      assertThat(idle.readLine()).isEqualTo("ok 0");
    }
  }

  @Test
  void shouldKeepAClientToItsRate() throws IOException {
    ClientRights all = ClientRights.all("a", ClientLimits.DEFAULTS);
    ClientRights slow = new ClientRights("a", all.grants(), 100, 10, all.limits());
    openLines(ClientAccounts.of(Map.of(TOKEN, slow)), TcpLimits.DEFAULTS);
    try (Transport client = lines()) {
      client.writeLine("token " + TOKEN);
      assertThat(client.readLine()).isEqualTo("ok");
      long beginNs = System.nanoTime();
      for (int i = 0; i < 150; i++) { // a second's requests may come at once
        client.writeLine("count");
        assertThat(client.readLine()).isEqualTo("ok 0");
      }
      assertThat(System.nanoTime() - beginNs).isGreaterThan(400_000_000L);
    }
  }
}
