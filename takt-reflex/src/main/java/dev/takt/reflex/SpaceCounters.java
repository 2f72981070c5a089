package dev.takt.reflex;

import dev.takt.realtime.counters.CounterRows;
import dev.takt.realtime.counters.Figure;
import dev.takt.realtime.counters.RowKind;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceStats;

/**
 * What others can see of a space: the row that a runtime, or what serves the space, has for it.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class SpaceCounters {
  private SpaceCounters() {}

  /**
   * Adds the row of a space, one for all that use it.
   *
   * @param owner as {@link dev.takt.realtime.counters.CounterSource#copyTo}
   */
  public static void copyTo(CounterRows rows, String owner, EventSpace space) {
    SpaceStats stats = space.stats();
    rows.addShared(RowKind.SPACE, owner, "space", space)
        .set(Figure.EVENTS, stats.events())
        .set(Figure.CAPACITY, space.settings().capacity())
        .set(Figure.SUBSCRIPTIONS, stats.subscriptions())
        .set(Figure.COMMITS, stats.commits())
        .set(Figure.CONFLICTS, stats.conflicts())
        .set(Figure.ABORTS, stats.aborts());
  }
}
