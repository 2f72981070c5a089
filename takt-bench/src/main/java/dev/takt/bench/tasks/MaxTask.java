package dev.takt.bench.tasks;

import dev.takt.bench.measure.Ticks;
import dev.takt.bench.micro.JmhBatch;
import dev.takt.reflex.NotUndone;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;

/**
 * Table 1, Max: takes two integers and writes the larger one back. Each release leaves one event
 * less; at the end of each batch, and outside of what is measured, the task fills the space up
 * again, so that every batch finds it as full.
 */
final class MaxTask extends ReflexTask {
  /** The integers in the space at the beginning of each batch. */
  static final int EVENTS = 10_000;

  /** The only key of the events. */
  static final String KEY = "value";

  @NotUndone private final Ticks ticks;
  private long next = EVENTS;
  private long iteration;
  private boolean ended;

  MaxTask(Ticks ticks) {
    this.ticks = ticks;
  }

  @Override
  public void execute() {
    if (ended) {
      return;
    }
    Event any = new Event(KEY, null);
    Event one = event();
    Event other = event();
    if (!take(any, one) || !take(any, other)) {
      throw new IllegalStateException(
          "the space has run out of integers after " + iteration + " releases");
    }
    write(one.getLong(KEY) >= other.getLong(KEY) ? one : other);
    iteration++;
    ended = !ticks.tick(iteration);
    if (iteration % JmhBatch.SIZE == 0) {
      fillUp();
    }
  }

  private void fillUp() {
    long startNs = System.nanoTime();
    Event more = event();
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      writeNow(more.add(KEY, integer(next++)));
    }
    ticks.skip(System.nanoTime() - startNs);
  }

  /** Returns the n-th integer, in an order that makes either of two the larger one now and then. */
  static long integer(long n) {
    return Long.reverse(n) >>> 1;
  }
}
