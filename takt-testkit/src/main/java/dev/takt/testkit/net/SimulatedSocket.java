package dev.takt.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A socket of a simulated network: all of {@link Socket} that blocking protocol code uses.
 *
 * <p><b>Thread rule.</b> That of the network.
 */
final class SimulatedSocket extends Socket {
  private final Impl impl;

  private SimulatedSocket(Impl impl) throws SocketException {
    super(impl);
    this.impl = impl;
  }

  /** Makes one that is not connected. */
  static SimulatedSocket unconnected(SimulatedNetwork network) {
    try {
      return new SimulatedSocket(new Impl(network, null));
    } catch (SocketException never) {
      throw new AssertionError(never);
    }
  }

  /** Makes one for an end that is connected. */
  static SimulatedSocket of(SimulatedNetwork network, SimulatedEnd end, int peerPort) {
    try {
      SimulatedSocket socket = new SimulatedSocket(new Impl(network, end));
      socket.connect(SimulatedNetwork.address(peerPort));
      return socket;
    } catch (IOException never) {
      throw new AssertionError(never);
    }
  }

  SimulatedEnd end() {
    if (impl.end == null) {
      throw new IllegalStateException("a socket that was never connected; connect it first");
    }
    return impl.end;
  }

  @Override
  public String toString() {
    return "simulated socket" + (impl.end == null ? "" : " of connection " + impl.end.connection());
  }

  /** What a socket does, by an end of a connection. */
  private static final class Impl extends SocketImpl {
    private static final Map<SocketOption<?>, Integer> IDS =
        Map.of(
            StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY,
            StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_LINGER, SocketOptions.SO_LINGER);

    private final SimulatedNetwork network;
    private final Map<Object, Object> options = new HashMap<>();
    private SimulatedEnd end;
    private int timeoutMs;

    Impl(SimulatedNetwork network, SimulatedEnd end) {
      this.network = network;
      this.end = end;
    }

    // ---- making the connection

    @Override
    protected void create(boolean stream) {
      // nothing of the operating system's is needed
    }

    @Override
    protected void connect(String host, int port) throws IOException {
      connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
      connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(SocketAddress to, int timeout) throws IOException {
      InetSocketAddress peer = (InetSocketAddress) to;
      if (peer.isUnresolved()) {
        throw new UnknownHostException(
            peer.getHostString() + "; a simulated network has one host, any address that is known");
      }
      if (end == null) {
        end = network.connect(peer.getPort(), timeout);
      }
      address = peer.getAddress();
      port = peer.getPort();
      localport = end.clientPort();
    }

    @Override
    protected void bind(InetAddress host, int port) {
      localport = port;
    }

    @Override
    protected void listen(int backlog) throws IOException {
      throw new SocketException("a simulated socket does not listen; see SimulatedNetwork.listen");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
      throw new SocketException("a simulated socket does not accept; see SimulatedNetwork.listen");
    }

    // ---- bytes

    @Override
    protected InputStream getInputStream() {
      return new In(this);
    }

    @Override
    protected OutputStream getOutputStream() {
      return new Out(this);
    }

    @Override
    protected int available() throws IOException {
      end.requireOpen();
      return end.in().arrived();
    }

    @Override
    protected void shutdownInput() {
      end.shutInput();
    }

    @Override
    protected void shutdownOutput() {
      end.shutOutput();
    }

    @Override
    protected boolean supportsUrgentData() {
      return false;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
      throw new SocketException("Urgent data not supported");
    }

    @Override
    protected void close() {
      if (end != null) {
        boolean aborts = Integer.valueOf(0).equals(options.get(SocketOptions.SO_LINGER));
        if (aborts) {
          end.abort();
        } else {
          end.close();
        }
      }
    }

    // ---- options: only the time of a read and an abortive end mean something here

    @Override
    public void setOption(int id, Object value) {
      if (id == SocketOptions.SO_TIMEOUT) {
        timeoutMs = (Integer) value;
      }
      options.put(id, value);
    }

    @Override
    public Object getOption(int id) {
      return switch (id) {
        case SocketOptions.SO_TIMEOUT -> timeoutMs;
        case SocketOptions.SO_BINDADDR -> InetAddress.getLoopbackAddress();
        case SocketOptions.SO_RCVBUF, SocketOptions.SO_SNDBUF -> network.settings().windowBytes();
        case SocketOptions.IP_TOS -> options.getOrDefault(id, 0);
        default -> options.getOrDefault(id, Boolean.FALSE);
      };
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) {
      options.put(id(name), value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) {
      Object value = options.get(id(name));
      return name.type().isInstance(value) ? name.type().cast(value) : null;
    }

    /** Returns what the socket's own methods call an option, or its name where there are none. */
    private static Object id(SocketOption<?> name) {
      return IDS.containsKey(name) ? IDS.get(name) : name;
    }
  }

  private static final class In extends InputStream {
    private final Impl impl;

    In(Impl impl) {
      this.impl = impl;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      Objects.checkFromIndexSize(at, length, into.length);
      long timeoutNs =
          impl.timeoutMs == 0 ? SimulatedNetwork.FOR_EVER_NS : impl.timeoutMs * 1_000_000L;
      int count = impl.end.in().read(into, at, length, timeoutNs);
      if (count == BytePipe.TIME_OUT) {
        throw new SocketTimeoutException("Read timed out");
      }
      return count;
    }

    @Override
    public int available() throws IOException {
      return impl.available();
    }
  }

  private static final class Out extends OutputStream {
    private final Impl impl;

    Out(Impl impl) {
      this.impl = impl;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
      Objects.checkFromIndexSize(at, length, from.length);
      impl.end.out().write(from, at, length);
    }
  }
}
