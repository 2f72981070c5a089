package dev.takt.reflex.woven;

import dev.takt.realtime.SingleWriterCounters;
import dev.takt.reflex.limit.MemoryStats;

/** What the memory of a task was used for. */
final class MemoryFigures extends SingleWriterCounters {
  static final int TRANSIENT_PEAK = 0;
  static final int STABLE_USED = 1;
  static final int STABLE_PEAK = 2;
  static final int POOL_GROWTHS = 3;
  static final int LOG_GROWTHS = 4;

  MemoryFigures() {
    super(LOG_GROWTHS + 1);
  }

  MemoryStats stats(long transientLimit, long stableLimit) {
    return new MemoryStats(
        get(TRANSIENT_PEAK),
        transientLimit,
        get(STABLE_USED),
        get(STABLE_PEAK),
        stableLimit,
        get(POOL_GROWTHS),
        get(LOG_GROWTHS));
  }
}
