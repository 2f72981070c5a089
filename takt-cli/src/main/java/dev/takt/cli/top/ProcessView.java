package dev.takt.cli.top;

import dev.takt.realtime.counters.CounterRow;
import dev.takt.realtime.counters.CounterSnapshot;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.realtime.counters.RowText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The counters of a process, now and at the look before.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class ProcessView {
  private static final Set<String> STOPPED = Set.of("stopped", "dropped", "unstoppable");

  private final CounterSnapshot now;
  private final long ageNs;
  private final double seconds;
  private final Map<List<Object>, CounterRow> before = new HashMap<>();

  /**
   * Makes one.
   *
   * @param before of the same process; null: it was not seen before
   * @param nowNs the time, by the clock of the machine
   */
  public ProcessView(CounterSnapshot now, CounterSnapshot before, long nowNs) {
    this.now = now;
    this.ageNs = now.ageNs(nowNs);
    this.seconds = before == null ? 0 : (now.takenNs() - before.takenNs()) / 1e9;
    if (before != null) {
      before.rows().forEach(row -> this.before.put(key(row), row));
    }
  }

  private static List<Object> key(CounterRow row) {
    return List.of(row.kind(), row.text(RowText.OWNER), row.text(RowText.NAME));
  }

  /** Returns what it has now. */
  public CounterSnapshot now() {
    return now;
  }

  /** Returns the names of the hosts that it runs: one, as a rule, or none. */
  public List<String> hosts() {
    return names(RowKind.HOST);
  }

  /** Returns the addresses at which it serves a space. */
  public List<String> addresses() {
    return names(RowKind.LISTENER);
  }

  private List<String> names(RowKind kind) {
    return now.rows(kind).stream().map(row -> row.text(RowText.NAME)).toList();
  }

  /** Returns the tasks that are never released again: they failed too often, or took too long. */
  public static List<CounterRow> stopped(CounterSnapshot process) {
    return process.rows(RowKind.TASK).stream()
        .filter(row -> STOPPED.contains(row.text(RowText.STATE)))
        .toList();
  }

  /** Returns how old the figures are, in nanoseconds. */
  public long ageNs() {
    return ageNs;
  }

  /** Returns whether the process has not written for much longer than it does otherwise. */
  public boolean isStale() {
    return ageNs > 2_000_000_000L && ageNs / 8 > now.periodNs();
  }

  /** Returns how long it is between the two looks, in seconds; 0: there is but one. */
  public double seconds() {
    return Math.max(0, seconds);
  }

  /** Returns by how much a count has grown since the look before. */
  public OptionalLong growth(CounterRow row, Figure figure) {
    CounterRow earlier = before.get(key(row));
    if (earlier == null || row.figure(figure).isEmpty() || earlier.figure(figure).isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(row.figure(figure).getAsLong() - earlier.figure(figure).getAsLong());
  }

  /** Returns how often something is counted in a second. */
  public OptionalDouble perSecond(CounterRow row, Figure figure) {
    OptionalLong growth = growth(row, figure);
    return growth.isEmpty() || seconds <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(0, growth.getAsLong()) / seconds);
  }
}
