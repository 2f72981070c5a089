package dev.takt.reflex.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the memory of a task was used for.
 *
 * <p><b>Thread rule:</b> the thread that runs the task writes; any thread reads, and sees each
 * change eventually (opaque access).
 */
final class MemoryFigures {
  static final int TRANSIENT_PEAK = 0;
  static final int STABLE_USED = 1;
  static final int STABLE_PEAK = 2;
  static final int POOL_GROWTHS = 3;
  static final int LOG_GROWTHS = 4;

  private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] values = new long[LOG_GROWTHS + 1];

  long get(int figure) {
    return (long) VALUES.getOpaque(values, figure);
  }

  void set(int figure, long value) {
    VALUES.setOpaque(values, figure, value);
  }

  void increment(int figure) {
    VALUES.setOpaque(values, figure, values[figure] + 1);
  }

  void raise(int figure, long value) {
    if (value > values[figure]) {
      VALUES.setOpaque(values, figure, value);
    }
  }
}
