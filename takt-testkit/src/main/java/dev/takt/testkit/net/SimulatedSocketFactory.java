package dev.takt.testkit.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes sockets of a simulated network, for libraries that ask for a factory.
 *
 * <p><b>Thread rule.</b> That of the network.
 */
final class SimulatedSocketFactory extends SocketFactory {
  private final SimulatedNetwork network;

  SimulatedSocketFactory(SimulatedNetwork network) {
    this.network = network;
  }

  @Override
  public Socket createSocket() {
    return network.socket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket socket = network.socket();
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    Socket socket = network.socket();
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }
}
