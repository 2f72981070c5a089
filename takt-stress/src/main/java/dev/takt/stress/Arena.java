package dev.takt.stress;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.util.concurrent.atomic.AtomicLong;

/** The space of the jcstress tests. */
final class Arena {
  static final EventSpace SPACE =
      EventSpace.create(
          SpaceSettings.DEFAULTS
              .withCapacity(1 << 17)
              .withMaxEventBytes(64)
              .withMaxReferences(1)
              .withMaxIndexes(8)
              .withMaxSubscriptions(8)
              .withMaxTransactions(64)
              .withMaxOperations(16));

  /** More than a run writes. */
  private static final int MOST = 8;

  private static final AtomicLong RUNS = new AtomicLong();

  private Arena() {}

  /** Returns a number that no other run has. */
  static long run() {
    return RUNS.incrementAndGet();
  }

  static Event x(long run) {
    return new Event("x", run);
  }

  static Event y(long run) {
    return new Event("y", run);
  }

  /** Takes out what a run has left. */
  static void clear(long run) {
    SPACE.takeAll(x(run), MOST, left -> {});
    SPACE.takeAll(y(run), MOST, left -> {});
  }

  /** Writes an event if another one is absent; returns whether it is. */
  static boolean writesIfAbsent(Event written, Event absent) {
    return SPACE.transact(
        0,
        transaction -> {
          boolean isFirst = !transaction.test(absent);
          if (isFirst) {
            transaction.write(written);
          }
          return isFirst;
        });
  }

  /** An event whose fields all say the same, so that a torn one shows. */
  static Event whole(long run, int value) {
    return new Event("x", run).add("a", value).add("b", -value).add("s", String.valueOf(value));
  }

  /** Returns the value, 0 if nothing was found, -1 if the fields differ. */
  static int value(boolean found, Event event) {
    if (!found) {
      return 0;
    }
    int value = (int) event.getLong("a");
    return event.getLong("b") == -value && event.getString("s").equals(String.valueOf(value))
        ? value
        : -1;
  }
}
