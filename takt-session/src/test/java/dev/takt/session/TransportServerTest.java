package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.logging.LogRecord;
import javax.net.ssl.SSLContext;
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
  void shouldSayWhatCanBeDoneWhereItCannotListen() throws Exception {
    TransportSettings settings = TransportSettings.DEFAULTS;
    InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 0); // RFC 5737: nobody's
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TransportServer taken =
            TransportServer.open(ANY_PORT, null, settings, sessions, Echo::run)) {
      assertThatThrownBy(() -> TransportServer.open(elsewhere, null, settings, sessions, Echo::run))
          .hasMessageContaining("cannot listen at /192.0.2.1:0: ")
          .hasMessageEndingWith("; take an address of this machine (0.0.0.0: all that it has)");
      InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 7);
      for (SSLContext tls : new SSLContext[] {null, SSLContext.getDefault()}) {
        assertThatThrownBy(() -> TransportServer.open(unknown, tls, settings, sessions, Echo::run))
            .hasMessageStartingWith("cannot listen at nowhere.invalid")
            .hasMessageContaining("; is the name of the host right?");
      }
      assertThatThrownBy(
              () -> TransportServer.open(taken.address(), null, settings, sessions, Echo::run))
          .hasMessageEndingWith("; end what listens there, or take another port (0: a free one)");
    }
    assertThat(TransportServer.cannotListen(new InetSocketAddress("0.0.0.0", 80), new Error("no")))
        .hasMessageEndingWith("(0: a free one); those below 1024 are root's, as a rule");
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

  /** Fails to accept as it is told, and then waits until it may. */
  private static final class Failing extends ServerSocket {
    private final Queue<Throwable> failures;
    private final CountDownLatch mayAccept = new CountDownLatch(1);

    Failing(List<Throwable> failures) throws IOException {
      super(0, 10, ANY_PORT.getAddress());
      this.failures = new ArrayDeque<>(failures);
    }

    @Override
    public Socket accept() throws IOException {
      switch (failures.poll()) {
        case null -> awaitLeave();
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Throwable failure -> throw new AssertionError(failure);
      }
      return super.accept();
    }

    private void awaitLeave() throws InterruptedIOException {
      try {
        mayAccept.await();
      } catch (InterruptedException cancelled) {
        throw new InterruptedIOException();
      }
    }
  }

  @Test
  @Timeout(60)
  void shouldTellWhyItDoesNotAcceptUntilItDoesAndGoOn() throws Exception {
    IllegalStateException first = new IllegalStateException("first");
    Throwable last = new OutOfMemoryError("last");
    Failing socket = new Failing(List.of(first, new IOException("Too many open files"), last));
    try (Logged logged = new Logged();
        Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TransportServer server =
            TransportServer.listen(
                socket,
                ANY_PORT.getAddress(),
                null,
                TransportSettings.DEFAULTS,
                sessions,
                (connection, bytes) ->
                    Echo.run(SocketTransport.of(connection, bytes, TransportSettings.DEFAULTS)))) {
      await(() -> server.failure() instanceof AssertionError);
      assertThat(server.failure()).hasCause(last);
      LogRecord record = logged.records.remove();
      assertThat(record.getMessage())
          .isEqualTo(server + " has not accepted a connection; it goes on");
      assertThat(record.getThrown()).isSameAs(first);
      assertThat(logged.records).as("more within ten seconds").isEmpty();

      socket.mayAccept.countDown();
      try (Transport client =
          SocketTransport.connect(server.address(), TransportSettings.DEFAULTS)) {
        client.writeLine("a");
        assertThat(client.readLine()).isEqualTo("a");
      }
      await(() -> server.failure() == null);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.interrupted()).as("after the timeout of the test").isFalse();
    }
  }

  @Test
  void shouldTellWhatHasEndedItUnlessItWasClosed() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TransportServer closed =
          TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run);
      SocketTransport.connect(closed.address(), TransportSettings.DEFAULTS).close();
      await(() -> closed.accepted() == 1); // so it waits for another
      closed.close();
      assertThat(sessions.drain(Duration.ofSeconds(60))).isEmpty();
      assertThat(closed.failure()).isNull();
    }
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      TransportServer cancelled =
          TransportServer.open(ANY_PORT, null, TransportSettings.DEFAULTS, sessions, Echo::run);
      sessions.running().getFirst().cancel();
      assertThat(sessions.drain(Duration.ofSeconds(60))).isEmpty();
      assertThat(cancelled.failure()).isInstanceOf(ClosedByInterruptException.class);
    }
  }

  @Test
  @Timeout(60)
  void shouldLetPollersLookAtConnectionsBeyondTheFirstThirtyTwoAndAtNoOther() throws Exception {
    Queue<Boolean> polled = new ConcurrentLinkedQueue<>();
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        TransportServer server =
            TransportServer.openSockets(
                ANY_PORT,
                null,
                TransportSettings.DEFAULTS,
                sessions,
                (connection, bytes) -> {
                  polled.add(connection instanceof PolledSocket);
                  Echo.run(SocketTransport.of(connection, bytes, TransportSettings.DEFAULTS));
                })) {
      List<Transport> clients = new ArrayList<>();
      connect(server, 40, clients);
      assertThat(polled).hasSize(40);
      assertThat(List.copyOf(polled).subList(0, 32)).containsOnly(false);
      assertThat(List.copyOf(polled).subList(32, 40)).containsOnly(true);

      polled.clear();
      clients.subList(0, 10).forEach(Transport::close);
      await(() -> sessions.stats().running() == 1 + 30); // the server's own, and those left
      connect(server, 3, clients);
      assertThat(polled).containsExactly(false, false, true);
      clients.forEach(Transport::close);
    }
  }

  /** One after the other, each of which is served before the next one comes. */
  private static void connect(TransportServer server, int count, List<Transport> clients)
      throws IOException {
    for (int i = 0; i < count; i++) {
      Transport client = SocketTransport.connect(server.address(), TransportSettings.DEFAULTS);
      clients.add(client);
      client.writeLine("here");
      assertThat(client.readLine()).isEqualTo("here");
    }
  }
}
