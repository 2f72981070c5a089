package dev.takt.kept;

import dev.takt.space.Event;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes orders 1, 2, 3, ..., one in a release, and writes that each is done; its memory is a
 * function of a seed and of how many it has taken.
 */
public final class Teller extends Grower {
  /** How many events of what is done there are at most. */
  public static final int DONE = 8;

  private final AtomicLong tries = new AtomicLong();
  private long count;
  private long sum;

  /** Makes one that has taken none. */
  public Teller(long seed) {
    super(seed, new AtomicLong(Long.MAX_VALUE));
  }

  @Override
  public void execute() {
    Event order = take(new Event("order", null).add("text", null));
    if (order == null) {
      return;
    }
    long number = order.getLong("order");
    book(number);
    write(new Event("done", number));
    take(new Event("done", number - DONE));
    if ((tries.incrementAndGet() & 3) == 3) {
      abort();
    }
  }

  /** Does in memory what an order does. */
  public void book(long number) {
    count = count + 1;
    sum = sum + number;
    change();
  }

  /** Returns how many orders it has taken. */
  public long count() {
    return count;
  }

  /** Returns the sum of their numbers. */
  public long sum() {
    return sum;
  }
}
