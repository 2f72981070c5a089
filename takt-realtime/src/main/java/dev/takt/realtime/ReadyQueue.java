package dev.takt.realtime;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A bounded first-in-first-out queue of numbers, for any number of producers and consumers.
 *
 * <p><b>Purpose.</b> The queue of what is ready to run and waits for a thread; see {@link
 * ReadyState}. The well-known ring with a sequence number beside each item stalls everyone behind a
 * producer that was stopped between reserving a place and filling it; this one has no such moment:
 * one compare-and-set of one {@code long} both fills (or empties) a place and says in which lap.
 *
 * <pre>
 *   place:  | lap (40 bits)          | number + 1 (24 bits), 0: empty |
 *
 *   (lap, 0) --push n--> (lap, n+1) --poll--> (lap+1, 0) --push--> ...
 * </pre>
 *
 * <p><b>Assumptions.</b> (1) Each number is in the queue at most once, and there are no more
 * numbers than places, so the queue is never full. (2) No thread is stopped between two steps of
 * one call for 2^40 laps exactly. Laps and positions wrap around.
 *
 * <p><b>Guarantees.</b> (1) What was pushed is polled exactly once, in the order of pushes. (2)
 * Lock-free: {@code head} and {@code tail} are hints that anyone may move on, so a thread stopped
 * anywhere stops no other. (3) {@code push} happens-before the {@code poll} that returns the
 * number; both are full fences.
 *
 * <p><b>Thread rule.</b> Any thread, all methods.
 *
 * <p><b>Memory.</b> 8 bytes a place, rounded up to a power of two; no allocation afterwards.
 *
 * {@snippet :
 * ReadyQueue queue = new ReadyQueue(100);
 * queue.push(42);
 * int number = queue.poll(); // 42, then EMPTY
 * }
 */
public final class ReadyQueue {
  /** The largest number: what 24 bits hold beside "empty". */
  public static final int MAX_INDEX = (1 << 24) - 2;

  /** What {@link #poll} returns when there is nothing. */
  public static final int EMPTY = -1;

  private static final int NUMBER_BITS = 24;
  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

  private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] places;
  private final int mask;
  private final int lapShift;
  final Counter head = new Counter();
  final Counter tail = new Counter();

  /**
   * Makes an empty queue.
   *
   * @param capacity how many numbers it holds at least, 1 to {@link #MAX_INDEX}
   */
  public ReadyQueue(int capacity) {
    this(capacity, 0);
  }

  /** For tests: as if so many laps had passed. */
  ReadyQueue(int capacity, long lap) {
    int size = Math.max(2, Integer.highestOneBit(capacity - 1) * 2);
    places = new long[size];
    mask = size - 1;
    lapShift = Integer.numberOfTrailingZeros(size);
    Arrays.fill(places, lap << NUMBER_BITS);
    head.move(0, lap << lapShift);
    tail.move(0, lap << lapShift);
  }

  /** Adds a number that is not in the queue. */
  public void push(int number) {
    long filled = number + 1L;
    while (true) {
      long at = tail.getVolatile();
      int place = (int) at & mask;
      long seen = getVolatile(place);
      long ahead = lapsAhead(seen, at);
      if (ahead == 0) {
        if ((seen & NUMBER_MASK) == 0 && compareAndSet(place, seen, seen | filled)) {
          tail.move(at, at + 1);
          return;
        }
        tail.move(at, at + 1);
      } else if (ahead > 0) {
        tail.move(at, at + 1);
      } else if (seen == getVolatile(place)) {
        throw new IllegalStateException(
            "run queue is full: places=%s, refused=%s; a number was pushed twice"
                .formatted(places.length, number));
      }
    }
  }

  /** Removes and returns the oldest number, or {@link #EMPTY}. */
  public int poll() {
    while (true) {
      long at = head.getVolatile();
      int place = (int) at & mask;
      long seen = getVolatile(place);
      long ahead = lapsAhead(seen, at);
      if (ahead > 0) {
        head.move(at, at + 1);
      } else if ((seen & NUMBER_MASK) == 0) {
        if (ahead == 0) {
          return EMPTY;
        }
      } else if (compareAndSet(place, seen, (at >>> lapShift) + 1 << NUMBER_BITS)) {
        head.move(at, at + 1);
        return (int) (seen & NUMBER_MASK) - 1;
      }
    }
  }

  /** Returns whether there is nothing at this moment. */
  public boolean isEmpty() {
    while (true) {
      long at = head.getVolatile();
      long seen = getVolatile((int) at & mask);
      if (lapsAhead(seen, at) == 0) {
        return (seen & NUMBER_MASK) == 0;
      }
      head.move(at, at + 1);
    }
  }

  /** By how many laps a place is ahead of a position; both count modulo 2^40. */
  private long lapsAhead(long seen, long at) {
    return (seen & ~NUMBER_MASK) - (at >>> lapShift << NUMBER_BITS);
  }

  private long getVolatile(int place) {
    return (long) PLACES.getVolatile(places, place);
  }

  private boolean compareAndSet(int place, long expected, long value) {
    return PLACES.compareAndSet(places, place, expected, value);
  }

  private static class CounterPadBefore {
    long p1, p2, p3, p4, p5, p6, p7;
  }

  private static class CounterValue extends CounterPadBefore {
    long value;
  }

  /** A position with a cache line of its own. */
  static final class Counter extends CounterValue {
    private static final VarHandle VALUE =
        Fields.handle(MethodHandles.lookup(), CounterValue.class, "value", long.class);

    long q1, q2, q3, q4, q5, q6, q7;

    long getVolatile() {
      return (long) VALUE.getVolatile(this);
    }

    /** Moves it, unless someone else has. */
    void move(long from, long to) {
      VALUE.compareAndSet(this, from, to);
    }
  }
}
