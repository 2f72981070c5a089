package dev.takt.bench.handover;

import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Meter;

/**
 * The receiving side of a hand-over: measures what arrives, and checks that nothing is lost or out
 * of order.
 *
 * <p><b>Thread rule:</b> for the receiving thread, until that has ended.
 */
final class Arrivals {
  /**
   * Events between two looks at the clock: many times what can be on its way at once. A batch that
   * fits into the ring would show how fast a full ring is emptied in one go, and not how fast
   * events are handed over.
   */
  static final int BATCH = 50 * SpaceHandover.WINDOW;

  private final Meter meter;
  private final long limitNs;
  private long count;

  /**
   * Counts {@code events}, after half as many that do not count; but after {@code limitMs} it ends
   * with what it has.
   */
  Arrivals(int events, long limitMs) {
    meter = new Meter(BATCH, events / 2, events);
    limitNs = System.nanoTime() + limitMs * 1_000_000;
  }

  /** An event has arrived; false: no more are needed. */
  boolean next(long id) {
    if (id != ++count) {
      throw new IllegalStateException("event " + id + " arrived where " + count + " was due");
    }
    return meter.tick(id) && (id % BATCH != 0 || id < 3 * BATCH || System.nanoTime() - limitNs < 0);
  }

  /** The figure, once {@link #next} has returned false and the receiving thread has ended. */
  Measurement figure() {
    return meter.figure(1);
  }
}
