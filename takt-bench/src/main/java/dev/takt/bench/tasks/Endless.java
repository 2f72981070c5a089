package dev.takt.bench.tasks;

import dev.takt.realtime.stop.Stoppable;
import java.util.function.LongUnaryOperator;

/** Ways not to end, for tasks and for plain code alike. */
@Stoppable
public final class Endless {
  /** The ways, by their numbers; the last one waits, which tasks must not. */
  static final String[] WAYS = {
    "loop", "recursion", "lambda", "swallowing", "finally", "allocating", "stream", "sleeping"
  };

  /** So many of {@link #WAYS} are ways of tasks. */
  static final int TASK_WAYS = 6;

  private Endless() {}

  /** Goes one of the ways of tasks. */
  static long go(int way) {
    return switch (way) {
      case 0 -> loop(0);
      case 1 -> recurse(1, 60);
      case 2 -> spin(each -> each + 1);
      case 3 -> swallow();
      case 4 -> neverFinally();
      default -> allocate();
    };
  }

  private static long loop(long from) {
    long sum = from;
    while (sum != -1) {
      sum = (sum + 1) & Long.MAX_VALUE;
    }
    return sum;
  }

  /** Ends after 2^depth calls: not in this life. */
  private static long recurse(long value, int depth) {
    return depth == 0 ? value : recurse(value + 1, depth - 1) ^ recurse(value - 1, depth - 1);
  }

  private static long spin(LongUnaryOperator next) {
    long value = 0;
    while (value >= 0) {
      value = next.applyAsLong(value) & Long.MAX_VALUE;
    }
    return value;
  }

  private static long swallow() {
    long caught = 0;
    while (caught >= 0) {
      try {
        caught = loop(caught);
      } catch (Throwable _) {
        caught++; // and tries again
      }
    }
    return caught;
  }

  private static long neverFinally() {
    long sum = 0;
    try {
      sum = 1;
    } finally {
      sum = loop(sum);
    }
    return sum;
  }

  private static long allocate() {
    long sum = 0;
    for (int length = 1; sum >= 0; length = length % 1_000 + 1) {
      sum += new byte[length].length & 1;
    }
    return sum;
  }
}
