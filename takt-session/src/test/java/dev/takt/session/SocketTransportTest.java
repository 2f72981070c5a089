package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** TCP does what every transport does, whatever pieces its bytes come in. */
class SocketTransportTest extends TcpContract {
  @Override
  Transport connectTo(InetSocketAddress server, TransportSettings settings) throws IOException {
    return SocketTransport.connect(server, settings);
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Transport first =
          SocketTransport.connect((InetSocketAddress) server.getLocalSocketAddress(), settings);
      return new InVmTransport.Pair(first, SocketTransport.of(server.accept(), settings));
    }
  }

  @Test
  void shouldRefuseAWriteWithoutEnd() {
    assertThatThrownBy(() -> SETTINGS.withWriteTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("writeTimeout=PT0S")
        .hasMessageContaining("would keep the writer for ever");
    assertThat(SETTINGS.withReadTimeout(Duration.ZERO).readTimeout()).isZero();
  }

  @Test
  void shouldRoundATimeToConnectUpAndNotToWithoutEnd() {
    assertThat(SETTINGS.withConnectTimeout(Duration.ofNanos(1)).connectTimeoutMs()).isEqualTo(1);
    assertThat(SETTINGS.withConnectTimeout(Duration.ofNanos(1_000_001)).connectTimeoutMs())
        .isEqualTo(2);
    assertThat(SETTINGS.withConnectTimeout(Duration.ZERO).connectTimeoutMs()).isZero();
    assertThat(SETTINGS.withConnectTimeout(Duration.ofMillis(Integer.MAX_VALUE)).connectTimeoutMs())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void shouldTellThatNobodyListens() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    assertThatThrownBy(() -> SocketTransport.connect(nobody, SETTINGS))
        .isInstanceOf(java.net.ConnectException.class);
  }
}
