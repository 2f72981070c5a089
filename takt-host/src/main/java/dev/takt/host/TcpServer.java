package dev.takt.host;

import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients by TCP, with or without TLS.
 *
 * <p><b>Purpose:</b> the same as {@link LinkServer} for clients that share no memory with the host.
 * Each connection is session code, two sessions: one reads and answers, one tells what comes when
 * nobody asks.
 *
 * <p><b>Guarantees:</b> nothing is kept of a client before its token is known but the first bytes
 * of its HELLO. Each connection waits for itself alone: one that sends slowly, stops reading,
 * breaks the format or dies is cut off within {@link TcpLimits}, and nothing of it is left in the
 * space but what it has written, and what it has taken and not confirmed, which is put back. A
 * request that is longer than 16 KB, or has such an answer, is refused if too many others of its
 * kind are on their way.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> some 10 KB for each connection and what its {@link ClientSession} needs, up to
 * 64 KB after messages of up to 16 KB; with TLS 50 KB more. For longer messages that are on their
 * way {@link TcpLimits#maxIncomingBytes} together, and {@link TcpLimits#maxOutgoingBytes}.
 *
 * {@snippet :
 * ClientAccounts accounts = TokenFile.read(file, ClientLimits.DEFAULTS);
 * try (TcpServer server = TcpServer.open(space, address, tls, accounts, TcpLimits.DEFAULTS)) {
 *   ...
 * }
 * }
 */
public final class TcpServer implements Listener {
  final EventSpace space;
  final ClientAccounts accounts;
  final TcpLimits limits;
  final Sessions sessions;
  final AtomicLong cutOff = new AtomicLong();

  /** Connections that were closed at once, beside those for which no session was left. */
  private final AtomicLong full = new AtomicLong();

  /** Long messages that are on their way, of all connections. */
  final HeldBytes incoming;

  /** One for each connection that may be. */
  private final Semaphore places;

  /** Long answers that are on their way, of all connections. */
  final HeldBytes outgoing;

  private final Set<TcpConnection> clients = ConcurrentHashMap.newKeySet();
  private final TransportServer server;

  private TcpServer(
      EventSpace space,
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientAccounts accounts,
      TcpLimits limits)
      throws IOException {
    this.space = space;
    this.accounts = accounts;
    this.limits = limits;
    places = new Semaphore(limits.maxConnections());
    incoming = new HeldBytes(limits.maxIncomingBytes());
    outgoing = new HeldBytes(limits.maxOutgoingBytes());
    sessions =
        Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2 * limits.maxConnections() + 1));
    try {
      server =
          TransportServer.openSockets(
              address,
              tls,
              TransportSettings.DEFAULTS.withConnectTimeout(Duration.ofNanos(limits.messageNs())),
              sessions,
              this::serve);
    } catch (Throwable failure) {
      sessions.close();
      throw failure;
    }
  }

  /**
   * Begins to listen.
   *
   * @param address where; port 0 for a free one
   * @param tls with the host's key, or null for none
   * @throws IllegalArgumentException if the address can be reached from other machines, and TLS or
   *     tokens are missing
   * @throws IOException if the system refuses
   */
  public static TcpServer open(
      EventSpace space,
      InetSocketAddress address,
      @Nullable SSLContext tls,
      ClientAccounts accounts,
      TcpLimits limits)
      throws IOException {
    accounts.requireSafe(address, tls != null);
    return new TcpServer(space, address, tls, accounts, limits);
  }

  private void serve(Socket connection, Socket bytes) throws IOException {
    if (!places.tryAcquire()) {
      full.incrementAndGet();
      return; // the limit of sessions counts both of a connection
    }
    try {
      TcpConnection client = new TcpConnection(this, connection, bytes);
      clients.add(client);
      try {
        client.serve();
      } finally {
        clients.remove(client);
      }
    } finally {
      places.release();
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
  public @Nullable Throwable failure() {
    return server.failure();
  }

  @Override
  public long incomingBytes() {
    return incoming.bytes();
  }

  @Override
  public boolean drain(Duration timeout) throws InterruptedException {
    server.close();
    return sessions.drain(timeout).isEmpty();
  }

  @Override
  public void close() {
    server.close();
    clients.forEach(TcpConnection::end);
    sessions.close();
  }
}
