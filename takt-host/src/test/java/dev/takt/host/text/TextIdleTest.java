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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client is not idle that is silent because it waits for the host. */
@Timeout(180)
class TextIdleTest {
  private static final TcpLimits LIMITS = TcpLimits.DEFAULTS.withIdleNs(700_000_000);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256));
  private final ClientAccounts accounts =
      ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
  private final InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private interface Connection {
    Transport open() throws IOException;
  }

  @Test
  void shouldServeLinesThatAreWaitedFor() throws Exception {
    try (TextServer server = TextServer.openLines(space, any, null, accounts, LIMITS)) {
      shouldServe(
          () -> SocketTransport.connect(server.address(), LineHost.CLIENT),
          List.of("take {\"x\":1} forever", "subscribe 5 {\"y\":1}", "count"),
          List.of("ok {\"x\":1}", "ok", "match 5"));
    }
  }

  @Test
  void shouldServeWebSocketsThatAreWaitedFor() throws Exception {
    try (TextServer server =
        TextServer.openWebSockets(space, any, null, accounts, LIMITS, List.of())) {
      shouldServe(
          () -> new WebSocketPeer(server.address()),
          List.of(
              "{\"op\":\"take\",\"template\":{\"x\":1},\"timeout\":\"forever\"}",
              "{\"op\":\"subscribe\",\"subscription\":5,\"template\":{\"y\":1}}",
              "{\"op\":\"count\"}"),
          List.of("{\"ok\":true,\"event\":{\"x\":1}}", "{\"ok\":true}", "{\"match\":5}"));
    }
  }

  private void shouldServe(Connection connection, List<String> asked, List<String> answers)
      throws IOException {
    try (Transport waiting = connection.open();
        Transport subscribed = connection.open()) {
      waiting.writeLine(asked.get(0));
      subscribed.writeLine(asked.get(1));
      assertThat(subscribed.readLine()).isEqualTo(answers.get(1));
      for (int i = 0; i < 2; i++) { // their time is over twice
        try (Transport idle = connection.open()) {
          idle.writeLine(asked.get(2));
          idle.readLine();
          awaitEnd(idle);
        }
      }
      space.write(
          new Event("y", 1)); // not the one that is taken, which may be gone when it is told
      assertThat(subscribed.readLine()).isEqualTo(answers.get(2));
      space.write(new Event("x", 1));
      assertThat(waiting.readLine()).isEqualTo(answers.get(0));
      awaitEnd(waiting); // for nothing any more
    }
  }

  private static void awaitEnd(Transport client) {
    try {
      assertThat(client.readLine()).isNull();
    } catch (IOException _) {
      // reset, which is an end as well
    }
  }
}
