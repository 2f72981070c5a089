package dev.takt.reflex;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of a task.
 *
 * <p><b>Thread rule:</b> the thread that runs the task counts; any thread reads, and sees each
 * count eventually (opaque access: as cheap as plain, but never kept in a register for ever).
 */
final class TaskCounters {
  static final int RELEASES = 0;
  static final int COMMITS = 1;
  static final int CONFLICTS = 2;
  static final int ABORTS = 3;
  static final int FAILURES = 4;
  static final int MISSES = 5;
  static final int OVERRUNS = 6;

  private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] values = new long[OVERRUNS + 1];

  void add(int counter, long amount) {
    VALUES.setOpaque(values, counter, values[counter] + amount);
  }

  long get(int counter) {
    return (long) VALUES.getOpaque(values, counter);
  }

  TaskStats stats(long spunNs, MemoryStats memory) {
    // Releases are read last, so that a look never shows more endings than beginnings.
    long commits = get(COMMITS);
    long conflicts = get(CONFLICTS);
    long aborts = get(ABORTS);
    long failures = get(FAILURES);
    long misses = get(MISSES);
    long overruns = get(OVERRUNS);
    return new TaskStats(
        get(RELEASES), commits, conflicts, aborts, failures, misses, overruns, spunNs, memory);
  }
}
