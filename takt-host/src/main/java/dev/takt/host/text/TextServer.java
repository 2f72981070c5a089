package dev.takt.host.text;

import dev.takt.client.KeepAlive;
import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientAccount;
import dev.takt.host.ClientAccounts;
import dev.takt.host.HeldBytes;
import dev.takt.host.Listener;
import dev.takt.host.TcpLimits;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.SocketTransport;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import dev.takt.session.WaitLimit;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients at an address that speak by texts: lines, or objects of JSON by WebSocket; with or
 * without TLS.
 *
 * <p><b>Guarantees:</b> of a client whose token is not known yet, no more than 1 KB is kept, and 8
 * KB of the request by which a WebSocket begins; it has {@link TcpLimits#messageNs} for TLS, and as
 * long again for the rest. Each connection waits for itself alone: one that sends slowly, stops
 * reading, breaks the protocol or dies is cut off within {@link TcpLimits}, and nothing of it is
 * left in the space but what it has written, and what it has taken and not confirmed, which is put
 * back. One whose line or text is longer than 16 KB is cut off, too, if too many others of its kind
 * are on their way, and is told so.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> some 10 KB for each connection, up to 32 KB while requests of up to 16 KB come,
 * and what {@link TextProtocol} has; with TLS 50 KB more. For longer ones that are on their way
 * {@link TcpLimits#maxIncomingBytes} together.
 *
 * {@snippet :
 * ClientAccounts accounts = TokenFile.read(file, ClientLimits.DEFAULTS);
 * try (TextServer server =
 *     TextServer.openLines(space, address, tls, accounts, TcpLimits.DEFAULTS)) {
 *   ...
 * }
 * }
 */
public final class TextServer implements Listener {
  private static final Logger LOG = System.getLogger(TextServer.class.getName());
  private static final int TOKEN_BYTES = 1_024;
  private static final Duration GOODBYE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  private final TcpLimits limits;

  /** The origins that are allowed, or null: lines. */
  private final @Nullable List<String> origins;

  /** Long requests that are on their way, of all connections. */
  final HeldBytes incoming;

  final TextProtocol protocol;
  private final Sessions sessions;
  private final TransportServer server;
  private final TransportSettings settings;

  /** One for each connection that may be. */
  private final Semaphore places;

  private final AtomicLong cutOff = new AtomicLong();

  /** Connections that were closed at once, beside those for which no session was left. */
  private final AtomicLong full = new AtomicLong();

  private volatile boolean isClosed;

  private TextServer(
      EventSpace space,
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientAccounts accounts,
      TcpLimits limits,
      @Nullable List<String> origins)
      throws IOException {
    accounts.requireSafe(address, tls != null);
    this.limits = limits;
    this.origins = origins;
    places = new Semaphore(limits.maxConnections());
    incoming = new HeldBytes(limits.maxIncomingBytes());
    settings =
        TransportSettings.DEFAULTS
            .withMaxLineBytes(TextProtocol.MAX_TEXT_BYTES)
            .withConnectTimeout(duration(limits.messageNs()))
            .withIdleTimeout(duration(limits.idleNs()))
            .withWriteTimeout(duration(limits.writeNs()));
    sessions =
        Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2 * limits.maxConnections() + 2));
    try {
      TextForm form = origins == null ? TextForm.LINES : TextForm.JSON;
      protocol = TextProtocol.start(space, accounts, form, limits, sessions);
      server = TransportServer.openSockets(address, tls, settings, sessions, this::serve);
    } catch (Throwable failure) {
      sessions.close();
      throw failure;
    }
  }

  private static Duration duration(long ns) {
    Duration exact = Duration.ofNanos(ns);
    return exact.compareTo(LONGEST) > 0 ? LONGEST : exact;
  }

  /**
   * Begins to listen for lines.
   *
   * @param address where; port 0 for a free one
   * @param tls with the host's key, or null for none
   * @throws IllegalArgumentException if the address can be reached from other machines, and TLS or
   *     tokens are missing
   * @throws IOException if the system refuses
   */
  public static TextServer openLines(
      EventSpace space,
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientAccounts accounts,
      TcpLimits limits)
      throws IOException {
    return new TextServer(space, address, tls, accounts, limits, null);
  }

  /**
   * Begins to listen for WebSockets; see {@link #openLines}.
   *
   * @param origins from where pages may connect beside this machine, as a browser names them, such
   *     as {@code https://example.org}; {@code null} is the name of a page that is a file
   */
  public static TextServer openWebSockets(
      EventSpace space,
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientAccounts accounts,
      TcpLimits limits,
      List<String> origins)
      throws IOException {
    return new TextServer(space, address, tls, accounts, limits, List.copyOf(origins));
  }

  private void serve(Socket connection, Socket bytes) throws InterruptedException {
    if (!places.tryAcquire()) {
      full.incrementAndGet();
      return; // the limit of sessions counts both of a connection
    }
    try {
      KeepAlive.begin(connection.supportedOptions(), connection::setOption);
      if (origins == null) {
        serveLines(connection, bytes);
      } else {
        serveWebSocket(connection, bytes, origins);
      }
    } catch (IOException | SecurityException | RejectedExecutionException e) {
      if (!isClosed) {
        cutOff.incrementAndGet();
        LOG.log(Level.DEBUG, () -> "a client is cut off: " + connection, e);
      }
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a client has met a fault of the host and is cut off", e);
    } finally {
      places.release();
    }
  }

  private void serveLines(Socket connection, Socket bytes)
      throws IOException, InterruptedException {
    try (HeldText coming = new HeldText(incoming, HeldText.COMING);
        SocketTransport transport = SocketTransport.of(connection, bytes, settings)) {
      transport.limitLines(TOKEN_BYTES, limits.messageNs());
      ClientAccount account = admit(connection, () -> protocol.admit(transport));
      transport.limitLines(maxTextBytes(account), limits.messageNs());
      transport.askForRoom(coming);
      protocol.serve(transport, account);
    }
  }

  private void serveWebSocket(Socket connection, Socket bytes, List<String> allowed)
      throws IOException, InterruptedException {
    Known client = admit(connection, () -> known(connection, bytes, allowed));
    try (HeldText coming = new HeldText(incoming, HeldText.COMING);
        WebSocketTransport transport = client.transport) {
      transport.limitTexts(maxTextBytes(client.account));
      transport.askForRoom(coming);
      protocol.serve(transport, client.account);
    }
  }

  private record Known(WebSocketTransport transport, ClientAccount account) {}

  private Known known(Socket connection, Socket bytes, List<String> allowed) throws IOException {
    WebSocketTransport transport = WebSocketTransport.accept(connection, bytes, limits, allowed);
    try {
      transport.limitTexts(TOKEN_BYTES);
      return new Known(transport, protocol.admit(transport));
    } catch (Throwable refused) {
      transport.close();
      throw refused;
    }
  }

  private static int maxTextBytes(ClientAccount account) {
    WireLimits wire = account.rights().limits().wire();
    return TextProtocol.maxTextBytes(wire);
  }

  private interface Admission<T> {
    T run() throws IOException;
  }

  /** Does what a client has to do in time before it is served. */
  private <T> T admit(Socket connection, Admission<T> admission) throws IOException {
    Runnable end = () -> SocketTransport.closeQuietly(connection);
    try (WaitLimit _ = WaitLimit.within(limits.messageNs(), end)) {
      return admission.run();
    }
  }

  @Override
  public InetSocketAddress address() {
    return server.address();
  }

  @Override
  public int clients() {
    return limits.maxConnections() - places.availablePermits();
  }

  @Override
  public long accepted() {
    return server.accepted();
  }

  @Override
  public long refused() {
    return server.refused() + full.get();
  }

  @Override
  public long cutOff() {
    return cutOff.get();
  }

  @Override
  public long incomingBytes() {
    return incoming.bytes();
  }

  @Override
  public @Nullable Throwable failure() {
    return server.failure();
  }

  @Override
  public boolean drain(Duration timeout) throws InterruptedException {
    server.close();
    protocol.endWhenEmpty();
    return sessions.drain(timeout).isEmpty();
  }

  @Override
  public void close() {
    isClosed = true;
    server.close();
    protocol.end();
    try {
      sessions.drain(GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // those that are left are cancelled now
    }
    sessions.close();
  }
}
