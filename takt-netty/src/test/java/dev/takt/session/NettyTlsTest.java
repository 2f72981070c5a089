package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.netty.NettyServer;
import dev.takt.netty.NettyTransport;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS by Netty carries the lines of sessions, and knows whom it speaks with. */
class NettyTlsTest {
  private static final TransportSettings SETTINGS = TransportSettings.DEFAULTS;
  @TempDir private static Path folder;
  private static EventLoopGroup loops;
  private static SslContext ofServer;
  private static SslContext ofClient;

  @BeforeAll
  static void open() throws Exception {
    TestKey key = TestKey.make(folder);
    ofServer = SslContextBuilder.forServer(key.own()).build();
    ofClient = SslContextBuilder.forClient().trustManager(key.trusted()).build();
    loops = NettyTransport.loops(2);
  }

  @AfterAll
  static void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private static NettyServer echo(Sessions sessions) throws Exception {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("localhost"), 0);
    return NettyServer.open(address, ofServer, SETTINGS, loops, sessions, Echo::run);
  }

  private static InetSocketAddress named(String host, NettyServer server) throws Exception {
    byte[] where = server.address().getAddress().getAddress();
    return new InetSocketAddress(InetAddress.getByAddress(host, where), server.address().getPort());
  }

  @Test
  void shouldCarryLinesToASessionAndBack() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        NettyServer server = echo(sessions);
        Transport client =
            NettyTransport.connect(named("localhost", server), ofClient, SETTINGS, loops)) {
      for (int i = 0; i < 100; i++) {
        String line = "\u20ac".repeat(i);
        client.writeLine(line);
        assertThat(client.readLine()).isEqualTo(line);
      }
    }
  }

  @Test
  void shouldRefuseACertificateOfAnotherHost() throws Exception {
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
        NettyServer server = echo(sessions)) {
      assertThatThrownBy(
              () ->
                  NettyTransport.connect(named("other.example", server), ofClient, SETTINGS, loops))
          .isInstanceOf(SSLException.class)
          .hasStackTraceContaining("other.example");
    }
  }

  @Test
  void shouldNotWaitForAnEndThatDoesNotSpeakTls() throws Exception {
    TransportSettings settings = SETTINGS.withConnectTimeout(Duration.ofMillis(50));
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
      assertThatThrownBy(
              () ->
                  NettyTransport.connect(
                      new InetSocketAddress("localhost", silent.getLocalPort()),
                      ofClient,
                      settings,
                      loops))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("TLS was not agreed upon within 50 ms");
    }
  }
}
