package dev.takt.realtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters that one thread adds to and any thread reads, each for itself: a reader sees no torn and
 * no decreasing value, but two counters may be from different moments.
 */
final class Tally {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] values;

  Tally(int size) {
    values = new long[size];
  }

  /** Adds; one thread only. */
  void add(int index, long amount) {
    LONGS.setRelease(values, index, values[index] + amount);
  }

  /** Replaces; one thread only. */
  void set(int index, long value) {
    LONGS.setRelease(values, index, value);
  }

  long get(int index) {
    return (long) LONGS.getAcquire(values, index);
  }
}
