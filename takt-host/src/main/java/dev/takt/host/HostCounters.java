package dev.takt.host;

import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.CounterSource;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;

/** What others can see of a host without asking it, for {@code takt top} and the MBeans. */
final class HostCounters implements CounterSource {
  private final HostProcess host;

  HostCounters(HostProcess host) {
    this.host = host;
  }

  @Override
  public RowKind kind() {
    return RowKind.HOST;
  }

  private String state() {
    if (host.failure() != null) {
      return "failed";
    }
    return host.dataFailure() == null ? "ready" : "refusing commits";
  }

  @Override
  public void copyTo(CounterRows rows, String owner) {
    rows.add(RowKind.HOST, owner, host.name())
        .set(RowText.STATE, state())
        .set(Figure.CLIENTS, host.clients())
        .set(Figure.COLLECTIONS, host.collections())
        .set(Figure.RESTS, host.rests());
  }
}
