package dev.takt.testkit.net;

import dev.takt.session.Suspension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Where connections of a simulated network are accepted: what blocking servers use of {@link
 * ServerSocket}.
 *
 * <p><b>Thread rule.</b> That of the network.
 */
final class SimulatedServerSocket extends ServerSocket {
  private final SimulatedNetwork network;
  private final int port;
  private final ArrayDeque<SimulatedEnd> waiting = new ArrayDeque<>();
  private final List<Suspension> acceptors = new ArrayList<>(1);
  private int timeoutMs;
  private boolean closed;

  SimulatedServerSocket(SimulatedNetwork network, int port) throws IOException {
    this.network = network;
    this.port = port;
  }

  /** Takes an end that a client has connected to; false if too many wait. */
  boolean offer(SimulatedEnd server) {
    if (closed || waiting.size() == network.settings().backlog()) {
      return false;
    }
    waiting.add(server);
    acceptors.forEach(Suspension::resume);
    return true;
  }

  @Override
  public Socket accept() throws IOException {
    long deadlineNs =
        timeoutMs == 0 ? SimulatedNetwork.FOR_EVER_NS : network.nanoTime() + timeoutMs * 1_000_000L;
    while (true) {
      if (closed) {
        throw new SocketException("Socket closed");
      }
      SimulatedEnd next = waiting.poll();
      if (next != null) {
        return SimulatedSocket.of(network, next, next.clientPort());
      }
      long leftNs = deadlineNs - network.nanoTime();
      if (leftNs <= 0) {
        throw new SocketTimeoutException("Accept timed out");
      }
      await(leftNs);
    }
  }

  private void await(long leftNs) throws IOException {
    Suspension here = network.here();
    acceptors.add(here);
    try {
      SimulatedNetwork.await(here, leftNs);
    } finally {
      acceptors.remove(here);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      network.stopListening(port);
      waiting.forEach(SimulatedEnd::abort);
      waiting.clear();
      acceptors.forEach(Suspension::resume);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isBound() {
    return true;
  }

  @Override
  public void bind(SocketAddress endpoint, int backlog) throws IOException {
    throw new SocketException("Already bound");
  }

  @Override
  public int getLocalPort() {
    return port;
  }

  @Override
  public InetAddress getInetAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return new InetSocketAddress(getInetAddress(), port);
  }

  @Override
  public void setSoTimeout(int timeout) {
    timeoutMs = timeout;
  }

  @Override
  public int getSoTimeout() {
    return timeoutMs;
  }

  @Override
  public String toString() {
    return "simulated server socket at port " + port;
  }
}
