package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.netty.NettyServer;
import dev.takt.netty.NettyTransport;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Netty does what every transport does, with the same session code at both ends. */
class NettyTransportTest extends TcpContract {
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
  Transport connectTo(InetSocketAddress server, TransportSettings settings) throws IOException {
    return NettyTransport.connect(server, null, settings, loops);
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
}
