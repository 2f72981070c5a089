package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS does what every transport does, and knows whom it speaks with. */
class TlsTransportTest extends TransportContract {
  @TempDir private static Path folder;

  private static SSLContext tls;

  @BeforeAll
  static void makeKey() throws Exception {
    TestKey key = TestKey.make(folder);
    tls = SSLContext.getInstance("TLS");
    tls.init(key.own().getKeyManagers(), key.trusted().getTrustManagers(), null);
  }

  private static InetSocketAddress address(ServerSocket server, String host) {
    return new InetSocketAddress(host, server.getLocalPort());
  }

  private static ServerSocket listen() throws Exception {
    return new ServerSocket(0, 1, InetAddress.getByName("localhost"));
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    try (ServerSocket server = listen()) {
      Session<SocketTransport> accepting =
          sessions.start("accept", () -> SocketTransport.accept(server.accept(), tls, settings));
      Transport first = SocketTransport.connect(address(server, "localhost"), tls, settings);
      return new InVmTransport.Pair(first, accepting.await().value());
    }
  }

  @Test
  void shouldRefuseACertificateOfAnotherHost() throws Exception {
    try (ServerSocket server = listen()) {
      sessions.start(
          "accept",
          () -> {
            try (Socket connection = server.accept()) {
              return SocketTransport.accept(connection, tls, SETTINGS);
            }
          });
      assertThatThrownBy(
              () ->
                  SocketTransport.connect(
                      new InetSocketAddress(
                          InetAddress.getByAddress(
                              "other.example", server.getInetAddress().getAddress()),
                          server.getLocalPort()),
                      tls,
                      SETTINGS))
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("other.example");
    }
  }

  @Test
  void shouldNotWaitForAnEndThatDoesNotSpeakTls() throws Exception {
    TransportSettings settings = SETTINGS.withConnectTimeout(Duration.ofMillis(50));
    try (ServerSocket server = listen()) {
      assertThatThrownBy(() -> SocketTransport.connect(address(server, "localhost"), tls, settings))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("TLS was not agreed upon within 50 ms");
    }
  }
}
