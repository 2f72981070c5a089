package dev.takt.session;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
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
 * next one is accepted; {@link #failure} tells what did, and one in ten seconds at most is logged.
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

  /** The first port that is no system port (RFC 6335, section 6). */
  private static final int FIRST_USER_PORT = 1_024;

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
  private final SessionFailureLog failures = new SessionFailureLog();
  private volatile @Nullable Throwable failure;
  private volatile boolean isClosed;

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
      return listen(socket, address.getAddress(), tls, settings, sessions, protocol);
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  /** As {@link #openSockets}, with a socket that listens already. */
  static TransportServer listen(
      ServerSocket socket,
      InetAddress host,
      @Nullable SSLContext tls,
      TransportSettings settings,
      Sessions sessions,
      SocketProtocol protocol) {
    TransportServer server = new TransportServer(socket, host, tls, settings, sessions, protocol);
    sessions.start(server.toString(), server::acceptAll);
    return server;
  }

  private static void bind(ServerSocket socket, InetSocketAddress address) throws IOException {
    try {
      socket.bind(address, BACKLOG);
    } catch (SocketException failure) { // a name without an address is no BindException
      throw cannotListen(address, failure);
    }
  }

  /** Returns a failure that names the address, and what can be done. */
  public static BindException cannotListen(InetSocketAddress address, Throwable cause) {
    BindException named =
        new BindException(
            "cannot listen at %s: %s; %s".formatted(address, cause.getMessage(), remedy(address)));
    named.initCause(cause);
    return named;
  }

  private static String remedy(InetSocketAddress address) {
    if (address.isUnresolved()) {
      return "is the name of the host right? (0.0.0.0: all addresses of this machine)";
    }
    if (!isOfThisMachine(address.getAddress())) {
      return "take an address of this machine (0.0.0.0: all that it has)";
    }
    String other = "end what listens there, or take another port (0: a free one)";
    return address.getPort() > 0 && address.getPort() < FIRST_USER_PORT
        ? other + "; those below " + FIRST_USER_PORT + " are root's, as a rule"
        : other;
  }

  private static boolean isOfThisMachine(@Nullable InetAddress address) {
    try {
      return address == null
          || address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true; // not known
    }
  }

  private @Nullable Void acceptAll() throws InterruptedException {
    Suspension here = Suspension.current();
    try {
      while (!socket.isClosed()) {
        try {
          start(accept());
          failure = null;
        } catch (IOException | RuntimeException | Error reason) {
          if (!isClosed) {
            failure = reason;
          }
          if (!socket.isClosed()) {
            tell(reason);
            pause(here);
          }
        }
      }
    } finally {
      close();
    }
    return null;
  }

  /** Some files or memory may be free soon. */
  private static void pause(Suspension here) throws InterruptedException {
    try {
      here.await(PAUSE_NS);
    } catch (Error noMemory) {
      // not even for a timer: it goes on at once
    }
  }

  private void tell(Throwable reason) {
    try {
      failures.warn(this + " has not accepted a connection; it goes on", reason);
    } catch (RuntimeException | Error ofLog) {
      // it may be short of the same; failure() tells it
    }
  }

  private Socket accept() throws IOException {
    ServerSocketChannel channel = socket.getChannel();
    if (channel == null) {
      return socket.accept();
    }
    SocketChannel connection = channel.accept();
    try {
      return present.get() < FEW ? connection.socket() : PolledSocket.of(connection, pollers);
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
      boolean isRefused = notStarted instanceof RejectedExecutionException;
      if (isRefused) {
        refused.incrementAndGet(); // first: whose connection is closed is counted
      }
      SocketTransport.closeQuietly(connection);
      if (!isRefused) {
        throw notStarted;
      }
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

  /**
   * Returns why the last connection that came was not accepted, or what has ended the server though
   * nobody has closed it; null if the last one was accepted, or none has come.
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Accepts no further connections; those that there are go on. */
  @Override
  public void close() {
    isClosed = true;
    try {
      socket.close();
    } catch (IOException _) {
      // nothing more can be done, and it accepts no longer
    }
    pollers.close();
  }

  @Override
  public String toString() {
    return "server " + address();
  }
}
