package dev.takt.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A connection that a poller looks at does what every transport over TCP does. */
class PolledTransportTest extends TcpContract {
  private ConnectionPollers pollers;

  @BeforeEach
  void openPollers() {
    pollers = new ConnectionPollers(sessions.threads(), "poller of a test");
  }

  @AfterEach
  void closePollers() {
    pollers.close();
  }

  @Override
  Transport connectTo(InetSocketAddress server, TransportSettings settings) throws IOException {
    return transport(SocketChannel.open(server), settings);
  }

  private Transport transport(SocketChannel connection, TransportSettings settings)
      throws IOException {
    return SocketTransport.of(PolledSocket.of(connection, pollers), settings);
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort)) {
      Transport first = connectTo((InetSocketAddress) server.getLocalAddress(), settings);
      return new InVmTransport.Pair(first, transport(server.accept(), settings));
    }
  }
}
