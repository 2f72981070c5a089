package dev.takt.kept;

import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A graph that plain threads change without a lock: they share objects and arrays, but each has
 * fields and elements of its own in them. So its state follows from how many changes each of them
 * has made, whatever their order was.
 */
@Persistent
public final class SharedGraph implements SharedState {
  private static final int SPOTS = 24;
  private static final int MOST_OWN = 20;

  private final long seed;
  private final Spot[] spots = new Spot[SPOTS];

  /** A list for each thread, which only it changes. */
  private final Spot[] own = new Spot[THREADS];

  private final int[] ownLengths = new int[THREADS];
  private final long[] steps = new long[THREADS];

  /** Makes one; equal seeds make equal ones. */
  public SharedGraph(long seed) {
    this.seed = seed;
    for (int i = 0; i < SPOTS; i++) {
      spots[i] = new Spot(i);
    }
  }

  @Override
  public long step(int thread) {
    return steps[thread];
  }

  @Override
  @PersistentUpdate
  public long change(int thread, AtomicLong clock) {
    long order = SharedState.mixed(seed + thread + THREADS * steps[thread]);
    final long time = clock.getAndIncrement();
    Spot spot = spots[(int) (order >>> 8 & 63) % SPOTS];
    Spot other = (order & 1 << 20) == 0 ? null : spots[(int) (order >>> 24 & 63) % SPOTS];
    switch ((int) order & 7) {
      case 0 -> spot.amount(thread, order);
      case 1 -> spot.side(thread, other);
      case 2 -> spot.number(thread, (int) (order >>> 32));
      case 3 -> spot.link(thread, other);
      case 4 -> push(thread, order, other);
      case 5 -> pop(thread);
      case 6 -> changeOwn(thread, order, other);
      default -> {
        spot.amount(thread, spot.amount(thread) - 7);
        spots[thread].amount(thread, spots[thread].amount(thread) + 7);
      }
    }
    steps[thread]++;
    return time;
  }

  @PersistentUpdate
  private void push(int thread, long order, Spot other) {
    if (ownLengths[thread] < MOST_OWN) {
      Spot made = new Spot((int) order & 1023);
      made.next(own[thread]);
      made.side(thread, other);
      own[thread] = made;
      ownLengths[thread]++;
    }
  }

  @PersistentUpdate
  private void pop(int thread) {
    if (own[thread] != null) {
      own[thread] = own[thread].next();
      ownLengths[thread]--;
    }
  }

  private void changeOwn(int thread, long order, Spot other) {
    Spot at = own[thread];
    for (int i = (int) (order >>> 40 & 15); i > 0 && at != null; i--) {
      at = at.next();
    }
    if (at != null) {
      at.link((int) (order >>> 48 & 1), at);
      at.link(2, other);
      at.number(1, (int) order);
    }
  }
}
