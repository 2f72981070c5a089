package dev.takt.stress.woven;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.function.LongUnaryOperator;

/** Keeps to its budget for a while; then it writes an event, changes a field and does not end. */
public final class RunawayTask extends ReflexTask {
  /** How it does not end. */
  public enum Form {
    LOOP,
    RECURSION,
    LAMBDA,
    SWALLOWING,
    FINALLY,
    STORING,
    COUNTED,
    ALLOCATING
  }

  /** So many releases end. */
  static final int GOOD_RELEASES = 20;

  private final Form form;
  private long releases;

  public RunawayTask(Form form) {
    this.form = form;
  }

  @Override
  public void execute() {
    if (releases == GOOD_RELEASES) {
      write(new Event("runaway", 1));
      releases = -1;
      runAway();
    }
    releases++;
  }

  private void runAway() {
    switch (form) {
      case LOOP -> loop(0);
      case RECURSION -> recurse(1, 60);
      case LAMBDA -> spin(each -> each + 1);
      case SWALLOWING -> swallow();
      case FINALLY -> neverFinally();
      case STORING -> store();
      case COUNTED -> count();
      case ALLOCATING -> allocate();
    }
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

  private void swallow() {
    while (true) {
      try {
        loop(0);
      } catch (Throwable _) {
        // tries again
      }
    }
  }

  private void neverFinally() {
    try {
      if (releases < 0) {
        throw new IllegalStateException("so that the handler runs");
      }
    } finally {
      loop(0);
    }
  }

  private void store() {
    for (long i = 0; i >= 0; i = (i + 1) & Long.MAX_VALUE) {
      releases = -1 - (i & 1);
    }
  }

  /** In compiled code, a loop over an int comes to no safepoint with some collectors. */
  private void count() {
    long sum = 0;
    while (sum != -1) {
      for (int i = 0; i < 1_000_000; i++) {
        sum = (sum + i * (long) i) & Long.MAX_VALUE;
      }
    }
    releases = sum;
  }

  /** Arrays of a length that no pool is prepared for. */
  private void allocate() {
    for (int length = 1 << 12; length > 0; length = length % (1 << 16) + (1 << 12)) {
      releases = -new byte[length].length;
    }
  }

  /** How many releases have ended. */
  @Atomic
  public long releases() {
    return releases;
  }
}
