package dev.takt.realtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Numbers that one thread at a time changes and any thread reads, each for itself: a reader sees no
 * torn value, and of a number that only grows no decreasing one; but two numbers may be from
 * different moments.
 *
 * <p><b>Memory:</b> 8 bytes each. A change is an ordinary store to the processor, in order with the
 * stores before it.
 */
public class SingleWriterCounters {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] values;

  /**
   * Makes counters that are all 0.
   *
   * @param size how many
   */
  public SingleWriterCounters(int size) {
    values = new long[size];
  }

  /** Adds; one thread only. */
  public final void add(int index, long amount) {
    LONGS.setRelease(values, index, values[index] + amount);
  }

  /** Replaces; one thread only. */
  public final void set(int index, long value) {
    LONGS.setRelease(values, index, value);
  }

  /** Replaces a smaller value; one thread only. */
  public final void raise(int index, long value) {
    if (value > values[index]) {
      set(index, value);
    }
  }

  /** Returns a value; any thread. */
  public final long get(int index) {
    return (long) LONGS.getAcquire(values, index);
  }
}
