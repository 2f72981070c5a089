package dev.takt.host.text;

import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientLimits;
import dev.takt.session.SessionStarter;
import dev.takt.session.Suspension;
import dev.takt.session.Transport;
import dev.takt.session.TransportServer;
import dev.takt.session.TransportSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients that speak the line protocol, see the page of the package.
 *
 * <p><b>Assumptions:</b> its sessions are cancelled when it is to end.
 *
 * <p><b>Guarantees:</b> each client has what {@link ClientLimits} says. When its connection ends,
 * nothing of it is left in the space but what it has written; what it has taken and not confirmed
 * is put back. A client that does not read is not listened to.
 *
 * <p><b>Thread rule:</b> {@link #serve} is called by a session for each connection. Each connection
 * has a second session, which writes, and all together one that tells what happens meanwhile.
 *
 * <p><b>Memory:</b> for each connection a {@code ClientSession}, its transport, and some 64 lines
 * that wait to be written.
 *
 * {@snippet :
 * LineServer lines = LineServer.start(space, ClientLimits.DEFAULTS, sessions);
 * TransportServer server =
 *     TransportServer.open(
 *         address, null, lines.settings(TransportSettings.DEFAULTS), sessions, lines);
 * }
 */
public final class LineServer implements TransportServer.Protocol {
  private static final long LOOK_NS = 1_000_000;
  private static final int MAX_LINE_BYTES = 1 << 24;

  private final EventSpace space;
  private final ClientLimits limits;
  private final SessionStarter sessions;
  private final List<LineClient> clients = new CopyOnWriteArrayList<>();

  /** For which the space had no room to put everything back. */
  private final ConcurrentLinkedQueue<LineClient> leaving = new ConcurrentLinkedQueue<>();

  private volatile boolean isDue;
  private volatile @Nullable Suspension waiting;

  private LineServer(EventSpace space, ClientLimits limits, SessionStarter sessions) {
    this.space = space;
    this.limits = limits;
    this.sessions = sessions;
  }

  /**
   * Starts the session that tells clients what has happened.
   *
   * @param sessions where it runs, and for each connection the one that writes
   */
  public static LineServer start(EventSpace space, ClientLimits limits, SessionStarter sessions) {
    LineServer server = new LineServer(space, limits, sessions);
    sessions.start("notices of lines", server::tellAll);
    return server;
  }

  /** Returns settings with room for a line of each message: one takes up to eight times as much. */
  public TransportSettings settings(TransportSettings settings) {
    WireLimits wire = limits.wire();
    return settings.withMaxLineBytes(Math.min(MAX_LINE_BYTES, 8 * wire.maxMessageBytes() + 4_096));
  }

  /** Returns how many clients there are. */
  public int clients() {
    return clients.size();
  }

  @Override
  public void serve(Transport transport) throws IOException, InterruptedException {
    LineClient client = new LineClient(space, limits, transport, this::wake);
    clients.add(client);
    wake();
    try {
      client.serve(sessions);
    } finally {
      transport.close(); // ends the writer, too
      clients.remove(client);
      if (!client.leave()) {
        leaving.add(client);
        wake();
      }
    }
  }

  private void wake() {
    isDue = true;
    Suspension waiter = waiting;
    if (waiter != null) {
      waiter.resume();
    }
  }

  private @Nullable Void tellAll() throws InterruptedException {
    Suspension here = Suspension.current();
    waiting = here;
    while (true) {
      isDue = false; // before the look: what comes meanwhile is seen now or next time
      boolean isTimed = false;
      for (LineClient each : clients) {
        isTimed |= each.advance(here.nanoTime());
      }
      leaving.removeIf(LineClient::leave);
      if (!isDue) {
        boolean isSoon = isTimed || !leaving.isEmpty();
        here.await(isSoon ? LOOK_NS : Suspension.FOR_EVER_NS);
      }
    }
  }
}
