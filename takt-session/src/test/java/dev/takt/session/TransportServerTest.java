package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server gives each connection a session. */
class TransportServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void shouldServeManyConnectionsAtOnce() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TransportServer server =
          TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run);
      List<Transport> clients = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        clients.add(SocketTransport.connect(server.address(), TransportSettings.DEFAULTS));
      }
      for (int round = 0; round < 3; round++) {
        for (Transport each : clients) {
          each.writeLine("round " + round);
        }
        for (Transport each : clients) {
          assertThat(each.readLine()).isEqualTo("round " + round);
        }
      }
      assertThat(server.accepted()).isEqualTo(100);
      clients.forEach(Transport::close);
      server.close();
      assertThat(sessions.drain(Duration.ofSeconds(10))).isEmpty();
      assertThat(sessions.stats()).isEqualTo(new SessionStats(0, 101, 0, 0, 0));
    }
  }

  @Test
  void shouldCloseAConnectionForWhichThereIsNoRoomAndServeTheNext() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2));
        TransportServer server =
            TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run)) {
      Transport first = SocketTransport.connect(server.address(), TransportSettings.DEFAULTS);
      first.writeLine("a");
      assertThat(first.readLine()).isEqualTo("a");
      try (Transport second =
          SocketTransport.connect(server.address(), TransportSettings.DEFAULTS)) {
        assertThat(second.readLine()).isNull();
      }
      assertThat(server.refused()).isEqualTo(1);
      first.close();

      String answer = null;
      while (answer == null) {
        try (Transport next =
            SocketTransport.connect(server.address(), TransportSettings.DEFAULTS)) {
          next.writeLine("b");
          answer = next.readLine();
        } catch (java.net.SocketException ofClosed) {
          // the first session has not ended yet
        }
      }
      assertThat(answer).isEqualTo("b");
    }
  }

  @Test
  void shouldCloseConnectionsWhenItsSessionsAreStopped() throws Exception {
    Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
    TransportServer server =
        TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run);
    try (Transport client = SocketTransport.connect(server.address(), TransportSettings.DEFAULTS)) {
      client.writeLine("a");
      assertThat(client.readLine()).isEqualTo("a");

      sessions.close();

      assertThat(client.readLine()).isNull();
      assertThat(sessions.stats().running()).isZero();
      assertThat(sessions.stats().failed()).isZero();
    }
  }

  @Test
  @Timeout(60)
  void shouldServeManyConnectionsOnOneCarrier() throws Exception {
    int limit = Carriers.use().limit();
    Carriers.limit(1);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TransportServer server =
            TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run)) {
      List<Transport> clients = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        clients.add(SocketTransport.connect(server.address(), TransportSettings.DEFAULTS));
      }
      for (int round = 0; round < 5; round++) {
        for (Transport each : clients) {
          each.writeLine("round " + round);
          assertThat(each.readLine()).isEqualTo("round " + round);
        }
      }
      clients.forEach(Transport::close);
    } finally {
      Carriers.limit(limit);
    }
  }
}
