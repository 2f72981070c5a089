package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.netty.NettyServer;
import dev.takt.netty.NettyTransport;
import dev.takt.testkit.Seeds;
import io.netty.channel.EventLoopGroup;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Netty does what every transport does, with the same session code at both ends. */
class NettyTransportTest extends TransportContract {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static EventLoopGroup loops;

  @BeforeAll
  static void openLoops() {
    loops = NettyTransport.loops(2);
  }

  @AfterAll
  static void closeLoops() {
    loops.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    BlockingQueue<Transport> accepted = new LinkedBlockingQueue<>();
    CountDownLatch ended = new CountDownLatch(1);
    try (NettyServer server =
        NettyServer.open(
            ANY_PORT,
            null,
            settings,
            loops,
            sessions,
            transport -> {
              accepted.add(transport);
              ended.await(); // until the session is cancelled: its end closes the connection
            })) {
      Transport first = NettyTransport.connect(server.address(), null, settings, loops);
      return new InVmTransport.Pair(first, accepted.take());
    }
  }

  private List<String> read(TransportSettings settings, byte[] bytes, Random random)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Transport transport =
            NettyTransport.connect(
                (InetSocketAddress) server.getLocalSocketAddress(), null, settings, loops);
        Socket peer = server.accept()) {
      peer.setTcpNoDelay(true);
      sessions.start(
          "writer",
          () -> {
            OutputStream out = peer.getOutputStream();
            for (int at = 0; at < bytes.length; ) {
              int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(1, 700)));
              out.write(bytes, at, length);
              at += length;
            }
            peer.shutdownOutput();
            return null;
          });
      List<String> lines = new ArrayList<>();
      for (String line = transport.readLine(); line != null; line = transport.readLine()) {
        lines.add(line);
      }
      return lines;
    }
  }

  @Test
  void shouldReadLinesWhateverPiecesTheirBytesComeIn() throws Exception {
    Random random = new Random(Seeds.seed());
    for (int run = 0; run < Seeds.size(20, 1_000); run++) {
      List<String> lines = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        String line = "\u00e4".repeat(random.nextInt(500));
        lines.add(line);
        text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
      }
      assertThat(read(SETTINGS, bytes(text.toString()), random)).isEqualTo(lines);
    }
  }

  @Test
  void shouldReadTheLongestLineWithEitherEndAndRefuseALongerOneFromOutside() throws Exception {
    for (String end : List.of("\n", "\r\n")) {
      for (int max : new int[] {1, 7, 511, 40_000}) {
        TransportSettings settings = SETTINGS.withMaxLineBytes(max);
        String longest = "x".repeat(max);
        Random random = new Random(Seeds.seed());

        assertThat(read(settings, bytes(longest + end + longest + end), random))
            .containsExactly(longest, longest);
        assertThatThrownBy(() -> read(settings, bytes("a" + end + longest + "y" + end), random))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining("limit: maxLineBytes=" + max);
        assertThatThrownBy(() -> read(settings, bytes(longest + "xxx"), random))
            .isInstanceOf(TransportException.class)
            .hasMessageContaining("limit: maxLineBytes=" + max);
      }
    }
  }

  @Test
  void shouldTellThatALineWasCutOff() {
    assertThatThrownBy(() -> read(SETTINGS, bytes("whole\nhalf"), new Random(1)))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("closed within a line, after 4 bytes");
  }

  @Test
  void shouldStopReadingWhenItsSessionLeavesLinesUnreadAndGoOnLater() throws Exception {
    InVmTransport.Pair pair = connect(SETTINGS.withWriteTimeout(Duration.ofMillis(200)));
    String line = "x".repeat(1_000);
    int written = 0;
    try {
      while (true) {
        pair.first().writeLine(line);
        written++;
      }
    } catch (java.net.SocketTimeoutException full) {
      assertThat(full).hasMessageContaining("no room for a line");
    }
    for (int i = 0; i < written; i++) {
      assertThat(pair.second().readLine()).isEqualTo(line);
    }
    pair.first().writeLine("again");
    assertThat(pair.second().readLine()).isEqualTo("again");
  }

  @Test
  void shouldSendAllThatWasWrittenBeforeItIsClosed() throws Exception {
    InVmTransport.Pair pair = connect(SETTINGS.withWriteTimeout(Duration.ofSeconds(2)));
    String line = "x".repeat(1_000);
    int written = 0;
    try {
      while (true) {
        pair.first().writeLine(line);
        written++;
      }
    } catch (java.net.SocketTimeoutException full) {
      // so some lines are still here
    }
    pair.first().close();

    int read = 0;
    while (pair.second().readLine() != null) {
      read++;
    }
    assertThat(read).isEqualTo(written);
  }

  @Test
  void shouldRefuseToWaitOnItsEventLoop() throws Exception {
    InVmTransport.Pair pair = connect(SETTINGS);
    List<Throwable> thrown = new ArrayList<>();
    for (io.netty.util.concurrent.EventExecutor each : loops) {
      each.submit(
              () -> {
                try {
                  pair.first().writeLine("x");
                } catch (Exception refused) {
                  thrown.add(refused);
                }
              })
          .sync();
    }
    assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldCloseAConnectionForWhichThereIsNoRoom() throws Exception {
    try (Sessions few = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(1));
        NettyServer server = NettyServer.open(ANY_PORT, null, SETTINGS, loops, few, Echo::run);
        Transport first = NettyTransport.connect(server.address(), null, SETTINGS, loops)) {
      first.writeLine("a");
      assertThat(first.readLine()).isEqualTo("a");
      try (Transport second = NettyTransport.connect(server.address(), null, SETTINGS, loops)) {
        assertThat(second.readLine()).isNull();
      }
      assertThat(server.accepted()).isEqualTo(2);
      assertThat(server.refused()).isEqualTo(1);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
