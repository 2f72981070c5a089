package dev.takt.host.listen;

import dev.takt.host.AccountStats;
import dev.takt.host.Listener;
import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import dev.takt.reflex.SpaceCounters;
import java.net.URI;
import java.util.List;

/** What others can see of listeners without asking them, for {@code takt top} and the MBeans. */
final class ListenerCounters implements CounterSource {
  private final Listeners listeners;

  ListenerCounters(Listeners listeners) {
    this.listeners = listeners;
  }

  @Override
  public RowKind kind() {
    return RowKind.SERVER;
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    AccountStats clients = listeners.accounts().stats();
    rows.add(RowKind.SERVER, owner, owner)
        .set(Figure.SESSIONS, clients.sessions())
        .set(Figure.REQUESTS, clients.requests())
        .set(Figure.DELAYED, clients.delayed())
        .set(Figure.HELD_BYTES, clients.heldBytes())
        .set(Figure.MAX_HELD_BYTES, clients.maxHeldBytes())
        .set(Figure.FULLEST_PPM, clients.fullestPpm());
    List<URI> addresses = listeners.addresses();
    for (int i = 0; i < addresses.size(); i++) {
      copyListener(rows, owner, addresses.get(i), listeners.servers().get(i));
    }
    SpaceCounters.copyTo(rows, owner, listeners.space());
  }

  private void copyListener(CounterRows rows, String owner, URI address, Listener server) {
    rows.add(RowKind.LISTENER, owner, address.toString())
        .set(RowText.STATE, state(server))
        .set(Figure.CLIENTS, server.clients())
        .set(Figure.MAX_CLIENTS, listeners.limits().maxConnections())
        .set(Figure.ACCEPTED, server.accepted())
        .set(Figure.REFUSED, server.refused())
        .set(Figure.CUT_OFF, server.cutOff())
        .set(Figure.INCOMING_BYTES, server.incomingBytes())
        .set(Figure.MAX_INCOMING_BYTES, listeners.limits().maxIncomingBytes());
  }

  private String state(Listener server) {
    if (listeners.isClosing()) {
      return "closing";
    }
    return server.failure() == null ? "ready" : "refusing connections";
  }
}
