package dev.takt.rtsj.timer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one clock that wait, the earliest first: a binary heap in which each timer knows
 * its place.
 *
 * <p>Times are compared by their difference, so they may wrap around. A change costs O(log n) and
 * allocates nothing. <b>Thread rule:</b> one thread, the engine's; any thread may ask for failures.
 */
final class TimerQueue {
  static final int ABSENT = -1;

  private final TimerClock clock;
  private final @Nullable Timer[] heap;
  private int size;
  private long nowNs;

  /** Set after {@link #failure}, which is at least as new for a thread that reads this first. */
  private volatile long failures;

  private @Nullable Throwable failure;

  TimerQueue(TimerClock clock, int capacity) {
    this.clock = clock;
    this.heap = new @Nullable Timer[capacity];
  }

  TimerClock clock() {
    return clock;
  }

  /** Reads the clock for {@link #nowNs}; false if that throws, which is counted. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one thread writes it
  boolean readClock() {
    try {
      nowNs = clock.nowNs();
      return true;
    } catch (Throwable thrown) { // it comes from outside, and others wait for this thread
      failure = thrown;
      failures = failures + 1;
      return false;
    }
  }

  /** Returns what the clock has shown last. */
  long nowNs() {
    return nowNs;
  }

  long failures() {
    return failures;
  }

  @Nullable Throwable failure() {
    return failures == 0 ? null : failure;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the timer that is due first; there must be one. */
  Timer first() {
    return at(0);
  }

  /** Puts a timer where its time belongs, whether it was there or not. */
  void put(Timer timer, long dueNs) {
    timer.dueNs(dueNs);
    int index = timer.heapIndex;
    if (index == ABSENT) {
      index = size++;
    }
    siftUp(timer, index);
    siftDown(timer, timer.heapIndex);
  }

  /** Takes a timer out, if it is there. */
  void remove(Timer timer) {
    int index = timer.heapIndex;
    if (index == ABSENT) {
      return;
    }
    timer.heapIndex = ABSENT;
    Timer last = at(--size);
    heap[size] = null;
    if (last != timer) {
      siftUp(last, index);
      siftDown(last, last.heapIndex);
    }
  }

  private void siftUp(Timer timer, int from) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (at(parent).dueNs() - timer.dueNs() <= 0) {
        break;
      }
      place(at(parent), index);
      index = parent;
    }
    place(timer, index);
  }

  private void siftDown(Timer timer, int from) {
    int index = from;
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && at(child + 1).dueNs() - at(child).dueNs() < 0) {
        child++;
      }
      if (at(child).dueNs() - timer.dueNs() >= 0) {
        break;
      }
      place(at(child), index);
      index = child;
    }
    place(timer, index);
  }

  private void place(Timer timer, int index) {
    heap[index] = timer;
    timer.heapIndex = index;
  }

  private Timer at(int index) {
    Timer timer = heap[index];
    if (timer == null) {
      throw new AssertionError("index=" + index + ", size=" + size);
    }
    return timer;
  }

  @Override
  public String toString() {
    return clock.name() + Arrays.toString(Arrays.copyOf(heap, size));
  }
}
