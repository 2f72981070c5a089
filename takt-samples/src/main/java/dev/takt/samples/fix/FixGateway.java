package dev.takt.samples.fix;

import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalListener;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.session.SessionSettings;
import dev.takt.session.Sessions;
import dev.takt.session.Suspension;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The acceptor: its space with the journal, the trading application, and a session for each
 * connection.
 *
 * <p><b>Guarantees.</b> Nothing is acknowledged that a crash could take back. When the storage
 * fails, the gateway writes nothing more and {@link #isSafe} is false for good; it has to be
 * started again.
 *
 * <p><b>Thread rule:</b> any thread; {@link #close} by one that is no session of it.
 */
final class FixGateway implements AutoCloseable {
  private static final int PRIORITY = 10;
  private static final int BACKLOG = 128;
  private static final long PAUSE_NS = 10_000_000;
  private static final Duration END = Duration.ofSeconds(5);

  private final FixSettings settings;
  private final Consumer<String> trouble;
  private final FixLog log;
  private final EventSpace space;
  private final Journal journal;
  private final ReflexRuntime runtime;
  private final Sessions sessions;
  private final FixStore store;
  private final Set<String> loggedOn = FixConnection.noneLoggedOn();
  private final Set<FixConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile ServerSocket server;
  private volatile boolean unsafe;
  private volatile boolean closed;

  private FixGateway(FixSettings settings, Storage storage, Consumer<String> trouble)
      throws IOException {
    this.settings = settings;
    this.trouble = trouble;
    log = new FixLog(trouble, System::nanoTime);
    space =
        EventSpace.create(
            SpaceSettings.DEFAULTS.withCapacity(settings.capacity()).withMaxIndexes(16));
    journal = Journal.open(storage, space, JournalSettings.DEFAULTS.withListener(new FailStop()));
    store = new FixStore(space, settings, this::isSafe);
    runtime =
        ReflexRuntime.create(
            space, RuntimeSettings.DEFAULTS.withFailureHandler((_, failure) -> tell(failure)));
    // two for each connection, one that accepts
    sessions =
        Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(2 * settings.maxConnections() + 1));
  }

  private void tell(Throwable failure) {
    if (isSafe()) { // else the reason is known
      trouble.accept("orders are not filled: " + failure);
    }
  }

  /** Notes that something may not be safe, before a commit of it returns. */
  private final class FailStop implements JournalListener {
    @Override
    public void onFailure(Throwable cause) {
      unsafe = true;
      trouble.accept(
          "the journal has failed, and the gateway stops: "
              + cause.getMessage()
              + "; mend the storage and start it again");
      connections.forEach(FixConnection::abandon);
    }

    @Override
    public void onRelaxed(String why) {
      onFailure(new IOException(why));
    }

    @Override
    public void onRestored() {
      // what was lost before is not known here
    }
  }

  /**
   * Opens the state of a gateway in a folder, which is made if it is not there, and begins to fill
   * the orders that it has.
   *
   * @param trouble gets a line for what is wrong
   */
  static FixGateway open(FixSettings settings, Path folder, Consumer<String> trouble)
      throws IOException {
    return open(settings, FolderStorage.open(folder), trouble);
  }

  /** As {@link #open(FixSettings, Path, Consumer)}, in a storage. */
  static FixGateway open(FixSettings settings, Storage storage, Consumer<String> trouble)
      throws IOException {
    FixGateway gateway = new FixGateway(settings, storage, trouble);
    gateway.runtime.passive("order-filler", new OrderFiller(), PRIORITY);
    gateway.runtime.start();
    return gateway;
  }

  /** Returns whether all that was committed is safe. */
  boolean isSafe() {
    return !unsafe;
  }

  /** Returns how many connections there are. */
  int connections() {
    return connections.size();
  }

  /**
   * A symbol was traded: orders are filled at this price from now on.
   *
   * @param price scaled ({@link FixText#SCALE})
   */
  void trade(String symbol, long price) {
    space.transact(
        transaction -> {
          Event last = new Event(FixKeys.TYPE, FixKeys.LAST).add(FixKeys.SYMBOL, symbol);
          transaction.take(last, new Event());
          transaction.write(last.add(FixKeys.PRICE, price));
          transaction.write(new Event(FixKeys.TYPE, FixKeys.TRADED).add(FixKeys.SYMBOL, symbol));
        });
  }

  /**
   * Returns a socket that accepts nothing yet, for {@link #listen(ServerSocket)}.
   *
   * @param address port 0 for a free one
   */
  static ServerSocket bind(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(address, BACKLOG);
      return socket;
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  /** As {@link #listen(ServerSocket)}, on a socket of its own. */
  InetSocketAddress listen(InetSocketAddress address) throws IOException {
    return listen(bind(address));
  }

  /**
   * Begins to accept connections.
   *
   * @param socket one that is bound; it is closed with this
   * @return where they are accepted
   */
  InetSocketAddress listen(ServerSocket socket) throws IOException {
    try {
      server = socket;
      sessions.start("fix server", () -> acceptAll(socket));
      return (InetSocketAddress) socket.getLocalSocketAddress();
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  private Void acceptAll(ServerSocket socket) throws IOException, InterruptedException {
    try (socket) {
      while (!socket.isClosed()) {
        try {
          accept(socket);
        } catch (IOException | RuntimeException | Error ofAccept) {
          if (!closed) {
            // as a rule too many open files, or no memory: some may be free soon
            Suspension.current().await(PAUSE_NS);
          }
        }
      }
    }
    return null;
  }

  private void accept(ServerSocket server) throws IOException {
    Socket socket = server.accept();
    SocketWire wire;
    try {
      wire = new SocketWire(socket);
    } catch (Throwable gone) {
      socket.close();
      throw gone;
    }
    start(wire);
  }

  /** Serves one connection by a session of its own. */
  void start(FixWire wire) {
    FixConnection connection = new FixConnection(wire, store, settings, sessions, loggedOn);
    connections.add(connection); // before the look at isSafe: who sets that ends what is here
    boolean started = false;
    try {
      if (!closed && isSafe() && connections.size() <= settings.maxConnections()) {
        sessions.start("fix " + wire.address(), () -> serve(connection, wire));
        started = true;
      } else if (!closed && isSafe()) {
        log.tell(
            "connection from %s was refused: connections=%s, limit=%s; close some"
                .formatted(wire.address(), settings.maxConnections(), settings.maxConnections()));
      }
    } catch (RejectedExecutionException _) {
      trouble.accept("connection from " + wire.address() + " was refused: the gateway ends");
    } finally {
      if (!started) {
        connections.remove(connection);
        wire.close();
      }
    }
  }

  private Void serve(FixConnection connection, FixWire wire) throws InterruptedException {
    try {
      connection.serve();
    } catch (IOException | RuntimeException | Abort failure) {
      if (!closed) {
        log.tell("connection from " + wire.address() + " has ended: " + failure.getMessage());
      }
    } finally {
      wire.close();
      connections.remove(connection);
      if (connection.garbled() > 0) {
        log.tell(
            "connection from %s: %s garbled messages were passed over"
                .formatted(wire.address(), connection.garbled()));
      }
    }
    return null;
  }

  /** Logs all sessions out, and ends. */
  @Override
  public void close() throws IOException {
    closed = true;
    ServerSocket socket = server;
    if (socket != null) {
      socket.close();
    }
    connections.forEach(FixConnection::endSoon);
    try (journal;
        runtime;
        sessions) {
      sessions.drain(isSafe() ? END : Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
