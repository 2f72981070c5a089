package dev.takt.session;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections over TCP or TLS, and serves each by a session.
 *
 * <p><b>Guarantees.</b> Every accepted connection is closed when its session ends, however that is.
 * TLS is agreed upon in the connection's own session, so a slow client delays no other. Of many
 * connections by TCP, what comes is read by pollers of the server's own, see the package; their
 * sockets have no urgent data. If there are {@link SessionSettings#maxSessions} sessions, a further
 * connection is closed at once and counted. Whatever goes wrong with a connection that comes, the
 * next one is accepted.
 *
 * <p><b>Thread rule.</b> Any thread. The server itself is one session.
 *
 * {@snippet :
 * try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS);
 *     TransportServer server =
 *         TransportServer.open(address, null, TransportSettings.DEFAULTS, sessions, this::serve)) {
 *   ...
 * }
 * }
 */
public final class TransportServer implements AutoCloseable {
  /** What is done with a connection. */
  @FunctionalInterface
  public interface Protocol {
    /** Serves a connection, which is closed afterwards. */
    void serve(Transport transport) throws Exception;
  }

  /** What is done with a connection whose bytes are no lines. */
  @FunctionalInterface
  public interface SocketProtocol {
    /**
     * Serves a connection, which is closed afterwards.
     *
     * @param connection to be closed to end all that waits for it
     * @param bytes what is read and written: TLS on the connection, or the connection itself
     */
    void serve(Socket connection, Socket bytes) throws Exception;
  }

  /** How many connections the operating system keeps until they are accepted. */
  private static final int BACKLOG = 1_024;

  private static final long PAUSE_NS = 10_000_000;

  /** Up to so many a poller finds one at a time, as a rule, and costs more than it saves. */
  private static final int FEW = 32;

  private final ServerSocket socket;
  private final InetAddress host;
  private final @Nullable SSLContext tls;
  private final TransportSettings settings;
  private final Sessions sessions;
  private final SocketProtocol protocol;

  /** Of connections by TCP beyond a few; the others wait by the JDK's means. */
  private final ConnectionPollers pollers;

  private final AtomicInteger present = new AtomicInteger();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  private TransportServer(
      ServerSocket socket,
      InetAddress host,
      @Nullable SSLContext tls,
      TransportSettings settings,
      Sessions sessions,
      SocketProtocol protocol) {
    this.socket = socket;
    this.host = host;
    this.tls = tls;
    this.settings = settings;
    this.sessions = sessions;
    this.protocol = protocol;
    pollers = new ConnectionPollers(sessions.threads(), "poller of " + address());
  }

  /**
   * Begins to accept connections.
   *
   * @param address where; port 0 for a free one ({@link #address})
   * @param tls with the server's key, or null for TCP
   * @param settings the limits of each connection
   * @param sessions where they run
   * @param protocol what is done with each
   */
  public static TransportServer open(
      InetSocketAddress address,
      @Nullable SSLContext tls,
      TransportSettings settings,
      Sessions sessions,
      Protocol protocol)
      throws IOException {
    return openSockets(
        address,
        tls,
        settings,
        sessions,
        (connection, bytes) -> {
          try (Transport transport = new SocketTransport(connection, bytes, settings)) {
            protocol.serve(transport);
          }
        });
  }

  /**
   * Begins to accept connections whose bytes are no lines.
   *
   * @param address where; port 0 for a free one ({@link #address})
   * @param tls with the server's key, or null for TCP
   * @param settings how long TLS may take to be agreed upon; nothing else of them counts
   * @param sessions where they run
   * @param protocol what is done with each
   */
  public static TransportServer openSockets(
      InetSocketAddress address,
      @Nullable SSLContext tls,
      TransportSettings settings,
      Sessions sessions,
      SocketProtocol protocol)
      throws IOException {
    ServerSocket socket = tls == null ? ServerSocketChannel.open().socket() : new ServerSocket();
    try {
      bind(socket, address);
      TransportServer server =
          new TransportServer(socket, address.getAddress(), tls, settings, sessions, protocol);
      sessions.start("server " + server.address(), server::acceptAll);
      return server;
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  private static void bind(ServerSocket socket, InetSocketAddress address) throws IOException {
    try {
      socket.bind(address, BACKLOG);
    } catch (BindException failure) {
      throw cannotListen(address, failure);
    }
  }

  /** Returns a failure that names the address. */
  public static BindException cannotListen(InetSocketAddress address, Throwable cause) {
    BindException named =
        new BindException(
            "cannot listen at %s: %s; end what listens there, or take another port (0: a free one)"
                .formatted(address, cause.getMessage()));
    named.initCause(cause);
    return named;
  }

  private @Nullable Void acceptAll() throws InterruptedException {
    try {
      while (!socket.isClosed()) {
        try {
          start(accept());
        } catch (IOException | RuntimeException | Error failure) {
          if (!socket.isClosed()) {
            tell(failure);
            Suspension.current().await(PAUSE_NS); // some files or memory may be free soon
          }
        }
      }
    } finally {
      close();
    }
    return null;
  }

  /** Logs what is a fault; that files are short is for who looks at the system. */
  private static void tell(Throwable failure) {
    if (!(failure instanceof IOException)) {
      System.getLogger(Sessions.LOG)
          .log(Level.WARNING, "a connection was not accepted; the next one is", failure);
    }
  }

  private Socket accept() throws IOException {
    ServerSocketChannel channel = socket.getChannel();
    if (channel == null) {
      return socket.accept();
    }
    SocketChannel connection = channel.accept();
    if (present.get() < FEW) {
      return connection.socket();
    }
    try {
      return PolledSocket.of(connection, pollers);
    } catch (Throwable failure) {
      connection.close();
      throw failure;
    }
  }

  private void start(Socket connection) {
    accepted.incrementAndGet();
    present.incrementAndGet();
    try {
      sessions.start(
          "connection from " + connection.getRemoteSocketAddress(), () -> serve(connection));
    } catch (Throwable notStarted) {
      present.decrementAndGet();
      SocketTransport.closeQuietly(connection);
      if (!(notStarted instanceof RejectedExecutionException)) {
        throw notStarted;
      }
      refused.incrementAndGet();
    }
  }

  private @Nullable Void serve(Socket connection) throws Exception {
    try (connection) {
      protocol.serve(
          connection, tls == null ? connection : SocketTransport.secure(connection, tls, settings));
    } finally {
      present.decrementAndGet();
    }
    return null;
  }

  /** Returns where connections are accepted. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, socket.getLocalPort());
  }

  /** Returns how many connections were accepted so far, with those that were closed at once. */
  public long accepted() {
    return accepted.get();
  }

  /** Returns how many connections were closed at once for want of a session. */
  public long refused() {
    return refused.get();
  }

  /** Accepts no further connections; those that there are go on. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // nothing more can be done, and it accepts no longer
    }
    pollers.close();
  }
}
