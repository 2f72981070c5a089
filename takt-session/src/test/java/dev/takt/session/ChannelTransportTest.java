package dev.takt.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A connection of a channel, as the first few of a server are, does what every transport does. */
class ChannelTransportTest extends TcpContract {
  @Override
  Transport connectTo(InetSocketAddress server, TransportSettings settings) throws IOException {
    return SocketTransport.of(SocketChannel.open(server).socket(), settings);
  }

  @Override
  InVmTransport.Pair connect(TransportSettings settings) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort)) {
      Transport first = connectTo((InetSocketAddress) server.getLocalAddress(), settings);
      return new InVmTransport.Pair(first, SocketTransport.of(server.accept().socket(), settings));
    }
  }
}
