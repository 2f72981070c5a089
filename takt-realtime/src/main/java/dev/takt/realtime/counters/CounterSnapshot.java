package dev.takt.realtime.counters;

import java.util.List;

/**
 * What the file of a process had at one moment.
 *
 * <p><b>Thread rule:</b> immutable.
 *
 * @param process whose
 * @param program what it runs, without control characters
 * @param takenNs when the figures were taken, by the clock of {@link System#nanoTime} there
 * @param periodNs how often they are taken, in nanoseconds
 * @param rows the rows, in the order in which the sources have given them
 * @param more how many rows had no place
 */
public record CounterSnapshot(
    ProcessIdentity process,
    String program,
    long takenNs,
    long periodNs,
    List<CounterRow> rows,
    int more) {
  /** Copies the list. */
  public CounterSnapshot {
    rows = List.copyOf(rows);
  }

  /** Returns the rows of a kind. */
  public List<CounterRow> rows(RowKind kind) {
    return rows.stream().filter(each -> each.kind() == kind).toList();
  }

  /**
   * Returns how old the figures are, in nanoseconds, 0 at least; on Linux, where processes share
   * the clock.
   *
   * @param nowNs the time, by the clock of {@link System#nanoTime}
   */
  public long ageNs(long nowNs) {
    return Math.max(0, nowNs - takenNs);
  }
}
