package dev.takt.stress.rollback;

import dev.takt.realtime.ReleaseOutcome;
import dev.takt.stress.rollback.graph.Case;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many releases were to end in which way, and did. */
final class Tally {
  private static final int OUTCOMES = ReleaseOutcome.values().length;

  private final AtomicLongArray counts = new AtomicLongArray((Case.ENDLESS + 1) * OUTCOMES);

  void count(int end, ReleaseOutcome outcome) {
    counts.incrementAndGet(end * OUTCOMES + outcome.ordinal());
  }

  long of(int end, ReleaseOutcome outcome) {
    return counts.get(end * OUTCOMES + outcome.ordinal());
  }

  long all() {
    long all = 0;
    for (int i = 0; i < counts.length(); i++) {
      all += counts.get(i);
    }
    return all;
  }

  long of(ReleaseOutcome outcome) {
    long all = 0;
    for (int end = 0; end <= Case.ENDLESS; end++) {
      all += of(end, outcome);
    }
    return all;
  }
}
