package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.wire.MessageKind;
import dev.takt.client.wire.Operation;
import dev.takt.host.text.TextServer;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Template;
import dev.takt.testkit.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many connections at once. Their clients are in a process of their own: a process may have so many
 * open files and no more, and each connection is one at either end.
 */
@Timeout(300)
class TcpConnectionsTest {
  private static final int WANTED = Seeds.size(300, 10_000);
  private static final int STUCK = 5;

  /** As many files as either process needs at most for other things. */
  private static final int OTHER_FILES = 500;

  /** What the JVM may open meanwhile for itself, far fewer than there are connections. */
  private static final int JVM_FILES = 50;

  private static final UnixOperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);

  /** Returns how many connections there can be, and says so if it is fewer than wanted. */
  private static int count() {
    long most = SYSTEM.getMaxFileDescriptorCount() - OTHER_FILES;
    assertThat(most)
        .as("connections beside %s other files (remedy: ulimit -n)", OTHER_FILES)
        .isGreaterThan(10 * STUCK);
    if (most < WANTED) {
      System.out.printf(
          "only %,d connections in place of %,d: a process may have %,d open files here"
              + " (ulimit -n)%n",
          most, WANTED, SYSTEM.getMaxFileDescriptorCount());
    }
    return (int) Math.min(WANTED, most);
  }

  private static void until(BooleanSupplier isSo) {
    while (!isSo.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static TcpServer open(EventSpace space, TcpLimits limits) throws IOException {
    return TcpServer.open(
        space,
        new InetSocketAddress("localhost", 0),
        null,
        ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS)),
        limits);
  }

  private static RemoteSpace connect(TcpServer server) throws IOException {
    ClientSettings patient = new ClientSettings(ClientSettings.DEFAULTS.wire(), 0, 60_000_000_000L);
    return Takt.connect(server.address(), null, "", patient);
  }

  @Test
  void shouldServeAsManyConnectionsAsFilesAllowWhileSomeStopReading() throws Exception {
    int count = count();
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
    space.write(new Event("big", new byte[60]).add("x", 0));
    try (TcpServer server = open(space, TcpLimits.DEFAULTS.withWriteNs(500_000_000));
        RemoteSpace client = connect(server)) {
      long files = SYSTEM.getOpenFileDescriptorCount();
      String port = String.valueOf(server.address().getPort());
      try (ClientProcess peers =
          ClientProcess.start(Peers.class, port, String.valueOf(count), String.valueOf(STUCK))) {
        assertThat(peers.line()).isEqualTo("connected");
        assertThat(server.clients()).isEqualTo(count + 1);
        assertThat(server.cutOff()).isZero();

        peers.say("flood");
        while (server.cutOff() < STUCK) { // the others are served meanwhile
          client.write(Peers.X);
          assertThat(client.take(Peers.X, new Event())).isTrue();
        }
        assertThat(peers.line()).isEqualTo("cut off " + STUCK);
        String answered = peers.line();
        assertThat(answered).startsWith("answered");
        assertThat(server.clients()).isEqualTo(count + 1 - STUCK);
        assertThat(server.cutOff()).isEqualTo(STUCK);
        System.out.println(answered);

        peers.say("leave");
        assertThat(peers.line()).isNull();
        until(() -> server.clients() == 1);
      }
      until(() -> SYSTEM.getOpenFileDescriptorCount() < files + JVM_FILES);
      client.write(Peers.X);
      assertThat(client.take(Peers.X, new Event())).isTrue();
    }
    assertThat(space.stats().subscriptions()).isZero();
    assertThat(space.count(new Event())).isEqualTo(1);
  }

  /** Session code has a processor until it waits, which it need not if bytes are always there. */
  @Test
  void shouldAnswerOthersWhileMoreClientsThanProcessorsAskWithoutAPause() throws Exception {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS);
    try (TcpServer server = open(space, TcpLimits.DEFAULTS);
        RemoteSpace client = connect(server)) {
      int greedy = 2 * Runtime.getRuntime().availableProcessors();
      try (ClientProcess _ = startGreedy(server, greedy, "")) {
        long begin = System.nanoTime();
        for (int i = 0; i < 100; i++) {
          client.write(Peers.X);
          assertThat(client.take(Peers.X, new Event())).isTrue();
        }
        System.out.printf("200 answers in %,d us%n", (System.nanoTime() - begin) / 1_000);
        assertThat(server.clients()).isEqualTo(greedy + 1);
        assertThat(server.cutOff()).isZero();
      }
    }
  }

  @Test
  void shouldAnswerOthersByLinesWhileMoreClientsThanProcessorsAskWithoutAPause() throws Exception {
    InetSocketAddress free = new InetSocketAddress("localhost", 0);
    ClientAccounts all = ClientAccounts.open(ClientRights.all("all", ClientLimits.DEFAULTS));
    int greedy = 2 * Runtime.getRuntime().availableProcessors();
    try (TextServer server =
            TextServer.openLines(EventSpace.create(), free, null, all, TcpLimits.DEFAULTS);
        ClientProcess _ = startGreedy(server, greedy, "test {\"x\":1}");
        Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoTimeout(60_000);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (int i = 0; i < 20; i++) {
        socket.getOutputStream().write("count {}\n".getBytes(StandardCharsets.UTF_8));
        assertThat(in.readLine()).isEqualTo("ok 0");
      }
      assertThat(server.clients()).isEqualTo(greedy + 1);
      assertThat(server.cutOff()).isZero();
    }
  }

  /** Starts clients that ask without a pause; returns when each has had answers. */
  private static ClientProcess startGreedy(Listener server, int count, String line)
      throws IOException {
    String port = String.valueOf(server.address().getPort());
    ClientProcess clients = ClientProcess.start(Greedy.class, port, String.valueOf(count), line);
    for (int i = 0; i < count; i++) {
      assertThat(clients.line()).isEqualTo("answered");
    }
    return clients;
  }

  /** Clients that ask faster than the host answers, and read all answers. */
  static final class Greedy {
    private static final int BATCH = 1_000;

    /** Where the host answers nobody else, the machine is not to suffer for long. */
    private static final long LONGEST_NS = 60_000_000_000L;

    /** Its arguments: the port, how many clients there are, and a line, or empty: messages. */
    public static void main(String[] arguments) throws Exception {
      InetSocketAddress address =
          new InetSocketAddress("localhost", Integer.parseInt(arguments[0]));
      for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
        TcpPeer peer = new TcpPeer(address);
        byte[] one = (arguments[2] + "\n").getBytes(StandardCharsets.UTF_8);
        if (arguments[2].isEmpty()) {
          peer.hello("");
          peer.writer.request(Operation.TEST, 0, 1, 0).template(Peers.X).end();
          one = MemoryLink.copy(peer.writer.segment(), peer.writer.length());
        }
        byte[] asked = one;
        Thread.ofPlatform().start(() -> ask(peer, asked));
        Thread.ofPlatform().start(() -> read(peer));
      }
    }

    private static void ask(TcpPeer peer, byte[] one) {
      ByteBuffer all = ByteBuffer.allocate(BATCH * one.length);
      for (int i = 0; i < BATCH; i++) {
        all.put(one);
      }
      try (peer) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LONGEST_NS) {
          peer.socket.getOutputStream().write(all.array());
        }
      } catch (IOException _) {
        // the host has ended
      }
    }

    private static void read(TcpPeer peer) {
      byte[] answers = new byte[1 << 16];
      try {
        int count = peer.socket.getInputStream().read(answers);
        System.out.println("answered");
        while (count >= 0) {
          count = peer.socket.getInputStream().read(answers);
        }
      } catch (IOException _) {
        // the host has ended
      }
    }
  }

  /** Many clients, in a process of their own. */
  static final class Peers {
    private static final Event X = new Event("x", 1);

    private final List<TcpPeer> floods = new ArrayList<>();
    private final List<TcpPeer> others = new ArrayList<>();
    private long answers;
    private long worstNs;

    /** Its arguments: the port, how many clients there are, and how many of them stop reading. */
    public static void main(String[] arguments) throws Exception {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      Peers peers = new Peers();
      long begin = System.nanoTime();
      peers.connect(
          new InetSocketAddress("localhost", Integer.parseInt(arguments[0])),
          Integer.parseInt(arguments[1]),
          Integer.parseInt(arguments[2]));
      long connectedNs = System.nanoTime() - begin;
      out.println("connected");
      if (!"flood".equals(in.readLine())) {
        return;
      }
      out.println("cut off " + peers.flood());
      out.printf(
          "answered %,d times, after %,d us at most, while %s of %,d clients did not read;"
              + " all connected within %,d ms%n",
          peers.answers,
          peers.worstNs / 1_000,
          peers.floods.size(),
          peers.others.size() + peers.floods.size(),
          connectedNs / 1_000_000);
      in.readLine(); // the process ends, and its connections with it
    }

    private void connect(InetSocketAddress address, int count, int stuck) throws IOException {
      for (int i = 0; i < count; i++) {
        TcpPeer peer = new TcpPeer(address);
        (i < stuck ? floods : others).add(peer);
        if (peer.hello("") != MessageKind.WELCOME) {
          throw new IOException("connection " + i + " is not let in");
        }
      }
    }

    /** Asks for all others while some do not read; returns how many of those were cut off. */
    private int flood() throws Exception {
      List<CompletableFuture<Boolean>> running = floods.stream().map(Peers::flood).toList();
      do {
        for (TcpPeer peer : others) {
          ask(peer);
        }
      } while (!running.stream().allMatch(CompletableFuture::isDone));
      int cutOff = 0;
      for (CompletableFuture<Boolean> each : running) {
        cutOff += each.get(60, TimeUnit.SECONDS) ? 1 : 0;
      }
      for (TcpPeer peer : others) {
        ask(peer);
      }
      return cutOff;
    }

    private void ask(TcpPeer peer) throws IOException {
      long begin = System.nanoTime();
      peer.writer.request(Operation.TEST, 0, 1, 0).template(X).end();
      peer.send();
      if (peer.receive() != MessageKind.ANSWER) {
        throw new IOException("a client that reads is not answered");
      }
      worstNs = Math.max(worstNs, System.nanoTime() - begin);
      answers++;
    }

    /** Asks without reading the answers; tells whether the link has ended. */
    private static CompletableFuture<Boolean> flood(TcpPeer peer) {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              for (int i = 0; i < 10_000_000; i++) {
                peer.writer.request(Operation.READ, 0, 1, 0).template(new Template("x", 0)).end();
                peer.send();
              }
              return false;
            } catch (SocketException cutOff) {
              return true;
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          },
          body -> Thread.ofVirtual().start(body));
    }
  }
}
