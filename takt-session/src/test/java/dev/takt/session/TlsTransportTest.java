package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
  void shouldBringWhatAClientHasWrittenThatNeverReads() throws Exception {
    int lines = 5_000;
    try (ServerSocket server = listen()) {
      Session<Integer> counting =
          sessions.start(
              "server",
              () -> {
                int count = 0;
                try (Transport end = SocketTransport.accept(server.accept(), tls, SETTINGS)) {
                  while (end.readLine() != null) {
                    count++;
                  }
                }
                return count;
              });
      try (Transport client =
          SocketTransport.connect(address(server, "localhost"), tls, SETTINGS)) {
        String line = "x".repeat(500);
        for (int i = 0; i < lines; i++) {
          client.writeLine(line);
        }
      }
      assertThat(counting.await().value()).isEqualTo(lines);
    }
  }

  /** A connection whose other end takes nothing more from some moment on. */
  private static final class Choked extends Socket {
    private volatile boolean choked;
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          if (choked) {
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
            throw new SocketException("closed");
          }
          out.write(bytes, from, length);
        }
      };
    }

    @Override
    public void close() throws IOException {
      super.close();
      closed.countDown();
    }
  }

  @Test
  @Timeout(60)
  void shouldSayGoodbyeForASecondAtMostHoweverLongAWriteMayTake() throws Exception {
    TransportSettings settings = SETTINGS.withWriteTimeout(Duration.ofMinutes(10));
    Choked connection = new Choked();
    try (ServerSocket server =
        new ServerSocket(0, 1, InetAddress.getByName("localhost")) {
          @Override
          public Socket accept() throws IOException {
            implAccept(connection);
            return connection;
          }
        }) {
      sessions.start(
          "client",
          () -> Echo.run(SocketTransport.connect(address(server, "localhost"), tls, SETTINGS)));
      Transport end = SocketTransport.accept(server.accept(), tls, settings);
      end.writeLine("plans a look at itself in ten minutes");
      connection.choked = true;
      end.close();

      assertThat(connection.isClosed()).isTrue();
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
