package dev.takt.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.session.Session;
import dev.takt.session.SessionOutcome;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.net.NetworkEvent.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What sockets of a simulated network do, and that a seed replays it. */
class SimulatedNetworkTest {
  private static final int PORT = 4_000;
  private static final NetworkSettings PLAIN =
      NetworkSettings.DEFAULTS
          .withDelay(Duration.ofMillis(1), Duration.ofMillis(1))
          .withReadSizes(ReadSizes.WHOLE);
  private static final Duration LONG = Duration.ofMinutes(10);

  private static SimulatedNetwork open(NetworkSettings settings) {
    return SimulatedNetwork.open(Seeds.seed(), settings);
  }

  /** What a session does with its end. */
  private interface Use<T> {
    T with(Socket socket) throws Exception;
  }

  /** Lets a server and a client use a connection; returns how the client ended. */
  private static <T> SessionOutcome<T> meet(SimulatedNetwork network, Use<?> server, Use<T> client)
      throws Exception {
    ServerSocket listening = network.listen(PORT);
    network.start("server", () -> server.with(listening.accept()));
    Session<T> session = network.start("client", () -> client.with(network.connect(PORT)));
    network.runFor(LONG);
    assertThat(session.outcome()).as("%s", network).isNotNull();
    return session.outcome();
  }

  private static Throwable cause(SessionOutcome<?> outcome) {
    assertThat(outcome).isInstanceOf(SessionOutcome.Failed.class);
    return ((SessionOutcome.Failed<?>) outcome).cause();
  }

  private static Object echo(Socket socket) throws IOException {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
      return null;
    }
  }

  private static Object waitForEver(SimulatedNetwork network) throws InterruptedException {
    network.sleep(Duration.ofDays(1));
    return null;
  }

  @Test
  void shouldEndAReadWhoseInputIsShutMeanwhileAndTellItsOptionsByEitherName() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      List<Integer> read = new ArrayList<>();
      SessionOutcome<Boolean> delay =
          meet(
              network,
              _ -> waitForEver(network),
              socket -> {
                network.start("reader", () -> read.add(socket.getInputStream().read()));
                network.sleep(Duration.ofSeconds(1));
                socket.shutdownInput();
                socket.setTcpNoDelay(true);
                return socket.getOption(StandardSocketOptions.TCP_NODELAY);
              });
      assertThat(delay.value()).isTrue();
      assertThat(read).containsExactly(-1);
    }
  }

  @Test
  void shouldCarryBytesBothWaysInTheTimeOfTheNetwork() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      List<Long> times = new ArrayList<>();
      SessionOutcome<String> answer =
          meet(
              network,
              SimulatedNetworkTest::echo,
              socket -> {
                times.add(network.nanoTime());
                socket.getOutputStream().write("hello".getBytes());
                int first = socket.getInputStream().read();
                times.add(network.nanoTime());
                socket.shutdownOutput();
                return (char) first + new String(socket.getInputStream().readAllBytes());
              });
      assertThat(answer.value()).isEqualTo("hello");
      assertThat(times).containsExactly(2_000_000L, 4_000_000L);
      assertThat(network.count(Kind.HALF_CLOSED)).isEqualTo(1);
      assertThat(network.count(Kind.END_READ)).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseWhereNobodyListensAndWhenTooManyWait() throws Exception {
    try (SimulatedNetwork network = open(PLAIN.withBacklog(2))) {
      Session<Socket> none = network.start("none", () -> network.connect(PORT));
      network.runFor(LONG);
      assertThat(cause(none.outcome()))
          .isInstanceOf(ConnectException.class)
          .hasMessage("Connection refused (port 4000)");

      ServerSocket server = network.listen(PORT);
      assertThatThrownBy(() -> network.listen(PORT)).isInstanceOf(BindException.class);
      List<Session<Socket>> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(network.start("client", () -> network.connect(PORT)));
      }
      network.runFor(LONG);
      assertThat(network.sessions().stats().completed()).isEqualTo(2);
      assertThat(network.count(Kind.REFUSED)).isEqualTo(2);

      server.close();
      Session<Socket> late = network.start("late", () -> network.connect(PORT));
      network.runFor(LONG);
      assertThat(cause(late.outcome())).isInstanceOf(ConnectException.class);
      assertThat(network.listen(PORT).getLocalPort()).isEqualTo(PORT);
    }
  }

  @Test
  void shouldTellThoseThatWaitForBeingAcceptedThatTheServerIsClosed() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      ServerSocket server = network.listen(PORT);
      Session<Integer> client =
          network.start("client", () -> network.connect(PORT).getInputStream().read());
      network.runFor(Duration.ofSeconds(1));
      assertThat(client.outcome()).isNull();
      server.close();
      network.runFor(Duration.ofSeconds(1));
      assertThat(cause(client.outcome()))
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
    }
  }

  @Test
  void shouldLoseWhatIsOnItsWayWhenAConnectionIsReset() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      List<Throwable> ends = new ArrayList<>();
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                socket.getOutputStream().write(new byte[100]);
                network.reset(socket);
                return noteFailure(ends, () -> socket.getInputStream().read());
              },
              socket -> noteFailure(ends, () -> socket.getInputStream().read()));
      assertThat(client.value()).isNull();
      assertThat(ends)
          .hasSize(2)
          .allSatisfy(
              each ->
                  assertThat(each)
                      .isInstanceOf(SocketException.class)
                      .hasMessage("Connection reset (connection 1)"));
      assertThat(network.count(Kind.RESET)).isEqualTo(2);
      assertThat(network.count(Kind.RECEIVED)).isZero();
    }
  }

  private static Object noteFailure(List<Throwable> failures, Callable<?> code) {
    try {
      Object result = code.call();
      throw new AssertionError("returned " + result);
    } catch (Exception failure) {
      failures.add(failure);
      return null;
    }
  }

  @Test
  void shouldLoseEverythingWithoutAWordWhenAConnectionFallsSilent() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                socket.getOutputStream().write(1);
                network.sleep(Duration.ofMillis(2));
                socket.getOutputStream().write(2);
                network.silence(socket);
                socket.getOutputStream().write(3);
                socket.close();
                return null;
              },
              socket -> {
                socket.setSoTimeout(5_000);
                assertThat(socket.getInputStream().read()).isEqualTo(1);
                long beginNs = network.nanoTime();
                try {
                  return socket.getInputStream().read();
                } catch (SocketTimeoutException silent) {
                  return network.nanoTime() - beginNs;
                }
              });
      assertThat(client.value()).isEqualTo(5_000_000_000L);
      assertThat(network.count(Kind.TIMED_OUT)).isEqualTo(1);
      assertThat(network.count(Kind.SILENCED))
          .as("two bytes and the end, %s", network)
          .isEqualTo(3);
    }
  }

  @Test
  void shouldStopAWriterWhoseReaderDoesNotReadAndLetItGoOnWhenItDoes() throws Exception {
    try (SimulatedNetwork network = open(PLAIN.withWindowBytes(10))) {
      List<Integer> read = new ArrayList<>();
      SessionOutcome<Long> client =
          meet(
              network,
              socket -> {
                network.sleep(Duration.ofSeconds(1));
                for (int i = 0; i < 25; i++) {
                  read.add(socket.getInputStream().read());
                }
                return null;
              },
              socket -> {
                byte[] bytes = new byte[25];
                for (int i = 0; i < 25; i++) {
                  bytes[i] = (byte) i;
                }
                socket.getOutputStream().write(bytes);
                return network.nanoTime();
              });
      assertThat(client.value()).isGreaterThan(1_000_000_000L);
      assertThat(network.count(Kind.WINDOW_FULL)).isPositive();
      long held = 0;
      for (NetworkEvent each : network.trace()) {
        boolean sent = each.kind() == Kind.SENT;
        boolean received = each.kind() == Kind.RECEIVED || each.kind() == Kind.RECEIVED_PART;
        held += sent ? each.bytes() : received ? -each.bytes() : 0;
        assertThat(held).isBetween(0L, 10L);
      }
      assertThat(read).hasSize(25).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldLetSlowReadersWaitBeforeEachRead() throws Exception {
    NetworkSettings slow =
        PLAIN.withSlowReaderPerMille(1_000).withMaxReadPause(Duration.ofSeconds(1));
    try (SimulatedNetwork network = open(slow)) {
      List<Long> times = new ArrayList<>();
      meet(
          network,
          socket -> {
            for (int i = 0; i < 100; i++) {
              times.add(network.nanoTime());
              assertThat(socket.getInputStream().read()).isEqualTo(i);
            }
            return null;
          },
          socket -> {
            for (int i = 0; i < 100; i++) {
              socket.getOutputStream().write(i);
            }
            return null;
          });
      long sumNs = times.getLast() - times.getFirst();
      assertThat(network.count(Kind.READ_PAUSED)).isEqualTo(100);
      assertThat(sumNs).as("pauses of 0 to 1 s").isBetween(20_000_000_000L, 80_000_000_000L);
    }
  }

  @Test
  void shouldResetThePeerOfAnEndThatIsClosedWithSomethingUnread() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                network.sleep(Duration.ofMillis(10));
                assertThat(socket.getInputStream().available()).isEqualTo(1);
                socket.getOutputStream().write("bye".getBytes());
                socket.close();
                return null;
              },
              socket -> {
                socket.getOutputStream().write(1);
                network.sleep(Duration.ofMillis(20));
                return socket.getInputStream().read();
              });
      assertThat(cause(client)).hasMessageContaining("reset");
    }
  }

  @Test
  void shouldResetAnEndWhoseBytesComeToOneThatHasJustClosed() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                network.sleep(Duration.ofNanos(1_500_000));
                socket.close();
                return null;
              },
              socket -> {
                network.sleep(Duration.ofNanos(600_000));
                socket.getOutputStream().write(1);
                return socket.getInputStream().readAllBytes();
              });
      assertThat(network.count(Kind.SENT)).as("before the end was known").isEqualTo(1);
      assertThat(network.count(Kind.RESET)).as("%s", network).isZero();
      assertThat(client).isInstanceOf(SessionOutcome.Completed.class);
    }
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                network.sleep(Duration.ofNanos(1_500_000));
                socket.close();
                return null;
              },
              socket -> {
                network.sleep(Duration.ofNanos(600_000));
                socket.getOutputStream().write(1);
                network.sleep(Duration.ofMillis(5));
                return socket.getInputStream().read();
              });
      assertThat(cause(client)).hasMessageContaining("reset");
    }
  }

  @Test
  void shouldResetAtOnceWhenAnEndIsClosedWithoutLingering() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Integer> client =
          meet(
              network,
              socket -> {
                socket.getOutputStream().write(1);
                socket.setSoLinger(true, 0);
                socket.close();
                return null;
              },
              socket -> {
                network.sleep(Duration.ofMillis(20));
                return socket.getInputStream().read();
              });
      assertThat(cause(client)).hasMessageContaining("reset");
    }
  }

  @Test
  void shouldFailToWriteToAnEndThatHasClosedOnceThatIsKnown() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      SessionOutcome<Object> client =
          meet(
              network,
              socket -> {
                network.sleep(Duration.ofMillis(10));
                socket.close();
                return null;
              },
              socket -> {
                OutputStream out = socket.getOutputStream();
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
                out.write(1);
                return null;
              });
      assertThat(cause(client)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void shouldEndEachWaitOfASocketThatIsClosedOrWhoseSessionIsCancelled() throws Exception {
    try (SimulatedNetwork network = open(PLAIN.withWindowBytes(1))) {
      ServerSocket server = network.listen(PORT);
      List<Socket> sockets = new ArrayList<>();
      Session<Object> reads =
          network.start(
              "reads",
              () -> {
                sockets.add(network.connect(PORT));
                return sockets.getFirst().getInputStream().read();
              });
      network.runFor(Duration.ofSeconds(1));
      Session<Object> writes =
          network.start(
              "writes",
              () -> {
                sockets.getFirst().getOutputStream().write(new byte[2]);
                return null;
              });
      network.runFor(Duration.ofSeconds(1));
      assertThat(reads.outcome()).isNull();
      assertThat(writes.outcome()).isNull();
      sockets.getFirst().close();
      network.runFor(Duration.ofSeconds(1));
      assertThat(cause(reads.outcome())).hasMessage("Socket closed");
      assertThat(cause(writes.outcome())).hasMessage("Socket closed");

      Session<Socket> accepts = network.start("first", server::accept);
      network.runFor(Duration.ofSeconds(1));
      assertThat(accepts.outcome()).isInstanceOf(SessionOutcome.Completed.class);
      Session<Socket> cancelled = network.start("second", server::accept);
      network.sessions().runReady();
      cancelled.cancel();
      network.sessions().runReady();
      assertThat(cancelled.outcome())
          .isInstanceOfSatisfying(
              SessionOutcome.Cancelled.class,
              end -> assertThat(end.cause()).isInstanceOf(InterruptedIOException.class));
      server.setSoTimeout(30);
      Session<Socket> timed = network.start("third", server::accept);
      network.runFor(Duration.ofSeconds(1));
      assertThat(cause(timed.outcome())).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void shouldTimeOutAConnectThatTakesLonger() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      network.listen(PORT);
      Session<Object> client =
          network.start(
              "client",
              () -> {
                network.socket().connect(new InetSocketAddress("127.0.0.1", PORT), 1);
                return null;
              });
      network.runFor(LONG);
      assertThat(cause(client.outcome()))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("Connect timed out");
    }
  }

  @Test
  void shouldRefuseToWaitOutsideOfItsSessions() {
    try (SimulatedNetwork network = open(PLAIN)) {
      assertThatThrownBy(() -> network.connect(PORT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("wait in one of them");
    }
  }

  @Test
  void shouldGiveLibrariesSocketsByAFactory() throws Exception {
    try (SimulatedNetwork network = open(PLAIN)) {
      ServerSocket server = network.listen(PORT);
      network.start("server", () -> echo(server.accept()));
      Session<Integer> client =
          network.start(
              "client",
              () -> {
                Socket socket = network.socketFactory().createSocket("127.0.0.1", PORT);
                socket.getOutputStream().write(7);
                return socket.getInputStream().read();
              });
      network.runFor(LONG);
      assertThat(client.outcome().value()).isEqualTo(7);
    }
  }

  // ---- the seed

  /** Clients and a server in a hostile network; what has happened. */
  private static List<NetworkEvent> hostileRun(long seed) throws Exception {
    try (SimulatedNetwork network =
        SimulatedNetwork.open(seed, NetworkSettings.HOSTILE.withMaxTraceEvents(100_000))) {
      ServerSocket server = network.listen(PORT);
      network.start(
          "server",
          () -> {
            while (true) {
              Socket socket = server.accept();
              network.start("echo", () -> echo(socket));
            }
          });
      for (int i = 0; i < 5; i++) {
        network.start("client " + i, () -> talk(network.connect(PORT)));
      }
      network.runFor(LONG);
      return network.trace();
    }
  }

  private static Object talk(Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    InputStream in = socket.getInputStream();
    try (socket) {
      for (int i = 0; i < 10; i++) {
        socket.getOutputStream().write(new byte[250]);
        socket.getOutputStream().write(new byte[150]);
        assertThat(in.readNBytes(400)).hasSizeBetween(0, 400);
      }
    }
    return null;
  }

  @Test
  void shouldRunTheSameWayWithTheSameSeedAndAnotherWayWithAnother() throws Exception {
    long seed = Seeds.seed();
    List<NetworkEvent> first = hostileRun(seed);

    assertThat(first).isNotEmpty();
    assertThat(hostileRun(seed)).isEqualTo(first);
    assertThat(hostileRun(seed + 1)).isNotEqualTo(first);
  }

  @Test
  void shouldReallyMakeEveryKindOfFault() throws Exception {
    Set<Kind> seen = new HashSet<>();
    for (long i = 0; i < 40; i++) {
      hostileRun(Seeds.seed() + i).forEach(each -> seen.add(each.kind()));
    }
    assertThat(seen)
        .as(Seeds.replay(Seeds.seed()))
        .contains(
            Kind.RESET,
            Kind.SILENCED,
            Kind.WINDOW_FULL,
            Kind.READ_PAUSED,
            Kind.RECEIVED_PART,
            Kind.TIMED_OUT);
  }

  @Test
  void shouldVaryTheOrderBetweenConnections() throws Exception {
    Set<List<Integer>> orders = new HashSet<>();
    for (long i = 0; i < 100; i++) {
      List<Integer> order = new ArrayList<>();
      try (SimulatedNetwork network =
          SimulatedNetwork.open(Seeds.seed() + i, NetworkSettings.DEFAULTS)) {
        ServerSocket server = network.listen(PORT);
        for (int client = 0; client < 3; client++) {
          int number = client;
          network.start("server", () -> order.add(server.accept().getInputStream().read()));
          network.start(
              "client",
              () -> {
                network.connect(PORT).getOutputStream().write(number);
                return waitForEver(network);
              });
        }
        network.runFor(LONG);
      }
      assertThat(order).containsExactlyInAnyOrder(0, 1, 2);
      orders.add(order);
    }
    assertThat(orders).as(Seeds.replay(Seeds.seed())).hasSize(6);
  }
}
