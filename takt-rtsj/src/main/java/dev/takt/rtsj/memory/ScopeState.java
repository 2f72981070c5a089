package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The number of threads in a scope, its parent and its epoch: the whole protocol of entry and exit,
 * in one word.
 *
 * <p><b>Purpose.</b> The first thread that enters sets the parent, the last one that leaves ends
 * the epoch: all that was allocated in it is gone. Both must be one step for everybody, so they are
 * one compare-and-set of one word.
 *
 * <pre>
 *    63          32 31        12 11         0
 *   |     epoch     |   parent   |   count   |     count: threads inside; CLOSED when there is no area any more
 * </pre>
 *
 * <p><b>Assumptions.</b> (1) A thread leaves as often as it has entered. (2) An epoch's number is
 * met again after 2^32 epochs only, and what was kept of one is not looked at in exactly that one.
 *
 * <p><b>Guarantees.</b> (1) While the count is not 0, parent and epoch do not change. (2) The epoch
 * changes exactly when the count goes back to 0. (3) Lock-free: an attempt fails only because
 * another one has succeeded; no thread waits for one that was stopped in the middle.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory:</b> nothing is allocated.
 */
final class ScopeState {
  /** What {@link #enter} has come to. */
  enum Entry {
    ENTERED,
    OTHER_PARENT,
    FULL,
    CLOSED
  }

  private static final int COUNT_BITS = 12;
  private static final int PARENT_BITS = 20;
  private static final long COUNT_MASK = (1 << COUNT_BITS) - 1;
  private static final long CLOSED = COUNT_MASK;

  /** The most threads that can be in one scope. */
  static final int MAX_COUNT = (1 << COUNT_BITS) - 2;

  /** The number after the largest of a parent; 0 stands for the primordial scope. */
  static final int PARENT_LIMIT = 1 << PARENT_BITS;

  private static final VarHandle WORD =
      Fields.handle(MethodHandles.lookup(), ScopeState.class, "word", long.class);

  private volatile long word;

  /** For tests: sets the number of the epoch, while no thread is inside. */
  void epoch(int epoch) {
    WORD.setVolatile(this, (long) epoch << Integer.SIZE);
  }

  /** Enters, below a parent; the first thread decides which. */
  Entry enter(int parent) {
    while (true) {
      long seen = word;
      long count = seen & COUNT_MASK;
      long next;
      if (count == 0) {
        next = (long) epoch(seen) << Integer.SIZE | (long) parent << COUNT_BITS | 1;
      } else if (count == CLOSED) {
        return Entry.CLOSED;
      } else if (parent(seen) != parent) {
        return Entry.OTHER_PARENT;
      } else if (count == MAX_COUNT) {
        return Entry.FULL;
      } else {
        next = seen + 1;
      }
      if (WORD.compareAndSet(this, seen, next)) {
        return Entry.ENTERED;
      }
    }
  }

  /**
   * Leaves.
   *
   * @return whether that was the last thread, so that the epoch has ended
   */
  boolean exit() {
    while (true) {
      long seen = word;
      long count = seen & COUNT_MASK;
      if (count == 0 || count == CLOSED) {
        throw new IllegalStateException("nobody is in the scope; it was left once too often");
      }
      long next = count == 1 ? nextEpoch(seen) : seen - 1;
      if (WORD.compareAndSet(this, seen, next)) {
        return count == 1;
      }
    }
  }

  /**
   * Closes for good, if no thread is inside.
   *
   * @return whether this call has closed it: false if threads are inside or it was closed before
   */
  boolean close() {
    while (true) {
      long seen = word;
      if ((seen & COUNT_MASK) != 0) {
        return false;
      }
      if (WORD.compareAndSet(this, seen, nextEpoch(seen) | CLOSED)) {
        return true;
      }
    }
  }

  /** Returns the number of the epoch; cheap enough for each access of a view. */
  int epoch() {
    return epoch((long) WORD.getOpaque(this));
  }

  /** Returns how many threads are inside. */
  int count() {
    long count = word & COUNT_MASK;
    return count == CLOSED ? 0 : (int) count;
  }

  boolean isClosed() {
    return (word & COUNT_MASK) == CLOSED;
  }

  /** Returns the parent's number; 0 if it is the primordial scope or no thread is inside. */
  int parent() {
    return parent(word);
  }

  private static long nextEpoch(long word) {
    return (long) (epoch(word) + 1) << Integer.SIZE;
  }

  private static int epoch(long word) {
    return (int) (word >>> Integer.SIZE);
  }

  private static int parent(long word) {
    return (int) (word >>> COUNT_BITS) & PARENT_LIMIT - 1;
  }
}
