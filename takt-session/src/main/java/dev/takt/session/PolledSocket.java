package dev.takt.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
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
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PolledConnection} as code on sockets knows it: what waits is all that differs.
 *
 * <p><b>Guarantees.</b> As {@link Socket}, whose states, checks and streams it has. Urgent data is
 * not supported. {@link InputStream#available} waits for nobody.
 *
 * <p><b>Thread rule.</b> As {@link Socket}; but of several readers, the timeout of each begins when
 * it is its turn, and a platform thread that waits depends on carriers, since pollers need them.
 */
final class PolledSocket extends Socket {
  private final Implementation implementation;

  private PolledSocket(Implementation implementation) throws SocketException {
    super(implementation);
    this.implementation = implementation;
  }

  /** Takes a connection; if that fails, it is left to the caller. */
  static Socket of(SocketChannel channel, ConnectionPollers pollers) throws IOException {
    channel.configureBlocking(false);
    PolledSocket socket = new PolledSocket(new Implementation(channel, pollers));
    socket.connect(channel.getRemoteAddress()); // makes it know that it is
    return socket;
  }

  /**
   * Writes as much as there is room for now.
   *
   * @return how many bytes
   */
  int writeNow(byte[] bytes) throws IOException {
    return implementation.connection.writeNow(bytes);
  }

  /**
   * Waits for what comes, and returns it if the poller has read it in one piece.
   *
   * @param mostBytes how long that may be
   * @return null: {@link InputStream#read} has something, or the end
   */
  byte @Nullable [] readArray(int mostBytes) throws IOException {
    try {
      return implementation.connection.readArray(mostBytes, implementation.timeoutMs);
    } catch (SocketTimeoutException late) {
      throw late;
    } catch (InterruptedIOException interrupted) {
      close(); // as Socket does when its stream is interrupted
      throw new SocketException("Closed by interrupt");
    }
  }

  /**
   * Returns a limit of waits for what comes. A read that waits when that is exceeded ends as by the
   * timeout of the socket, and can be repeated, too; but the wait needs no timer of its own.
   */
  WaitLimit limitReads(long limitNs) {
    return implementation.connection.limitReads(limitNs);
  }

  /** What {@link Socket} stands on. */
  private static final class Implementation extends SocketImpl {
    private final SocketChannel channel;
    private final PolledConnection connection;
    private volatile int timeoutMs;

    Implementation(SocketChannel channel, ConnectionPollers pollers) throws IOException {
      this.channel = channel;
      connection = new PolledConnection(channel, pollers);
      InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
      address = peer.getAddress();
      port = peer.getPort();
      localport = ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    // ---- beginning: it is connected

    @Override
    protected void create(boolean stream) {}

    @Override
    protected void connect(SocketAddress address, int timeoutMs) {}

    @Override
    protected void connect(String host, int port) throws SocketException {
      throw isConnected();
    }

    @Override
    protected void connect(InetAddress address, int port) throws SocketException {
      throw isConnected();
    }

    @Override
    protected void bind(InetAddress host, int port) throws SocketException {
      throw isConnected();
    }

    @Override
    protected void listen(int backlog) throws SocketException {
      throw isConnected();
    }

    @Override
    protected void accept(SocketImpl socket) throws SocketException {
      throw isConnected();
    }

    private static SocketException isConnected() {
      return new SocketException("Already connected");
    }

    // ---- bytes

    @Override
    protected InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          return connection.read(bytes, from, length, timeoutMs);
        }

        @Override
        public int available() throws IOException {
          return connection.available();
        }
      };
    }

    @Override
    protected OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          connection.write(bytes, from, length);
        }
      };
    }

    @Override
    protected int available() throws IOException {
      return connection.available();
    }

    @Override
    protected void sendUrgentData(int data) throws SocketException {
      throw new SocketException("Urgent data not supported");
    }

    // ---- options

    @Override
    public void setOption(int id, Object value) throws SocketException {
      try {
        switch (id) {
          case SocketOptions.SO_TIMEOUT -> timeoutMs = (Integer) value;
          case SocketOptions.SO_LINGER ->
              setOption(
                  StandardSocketOptions.SO_LINGER, value instanceof Integer seconds ? seconds : -1);
          case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF, SocketOptions.IP_TOS ->
              setOption(number(id), (Integer) value);
          default -> setOption(flag(id), (Boolean) value);
        }
      } catch (IOException failure) {
        throw asSocketException(failure);
      }
    }

    @Override
    public Object getOption(int id) throws SocketException {
      try {
        return switch (id) {
          case SocketOptions.SO_TIMEOUT -> timeoutMs;
          case SocketOptions.SO_BINDADDR ->
              ((InetSocketAddress) channel.getLocalAddress()).getAddress();
          case SocketOptions.SO_LINGER -> getOption(StandardSocketOptions.SO_LINGER);
          case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF, SocketOptions.IP_TOS ->
              getOption(number(id));
          default -> getOption(flag(id));
        };
      } catch (IOException failure) {
        throw asSocketException(failure);
      }
    }

    private static SocketOption<Integer> number(int id) {
      return switch (id) {
        case SocketOptions.SO_SNDBUF -> StandardSocketOptions.SO_SNDBUF;
        case SocketOptions.SO_RCVBUF -> StandardSocketOptions.SO_RCVBUF;
        default -> StandardSocketOptions.IP_TOS;
      };
    }

    private static SocketOption<Boolean> flag(int id) throws SocketException {
      return switch (id) {
        case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
        case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
        case SocketOptions.SO_REUSEADDR -> StandardSocketOptions.SO_REUSEADDR;
        default -> throw new SocketException("option 0x%x is not supported".formatted(id));
      };
    }

    private static SocketException asSocketException(IOException failure) {
      return failure instanceof SocketException known
          ? known
          : new SocketException(failure.toString(), failure);
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
      channel.setOption(name, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
      return channel.getOption(name);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
      return channel.supportedOptions().stream()
          .filter(each -> !each.name().equals("SO_OOBINLINE"))
          .collect(Collectors.toSet());
    }

    // ---- the end

    @Override
    protected void shutdownInput() throws IOException {
      connection.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
      connection.shutdownOutput();
    }

    @Override
    protected void close() throws IOException {
      connection.close();
    }
  }
}
