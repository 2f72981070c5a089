package dev.takt.rtsj.memory;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts what is used in one epoch of a scope. It starts at 0 in each epoch without being reset,
 * because the count carries the number of the epoch.
 *
 * <p><b>Assumption.</b> The counting thread is inside the scope, so the epoch does not end
 * meanwhile.
 *
 * <p><b>Guarantee.</b> Lock-free; each unit is given once in an epoch, but for those given back.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory:</b> nothing is allocated.
 */
final class ScopeEpochCounter {
  private static final long COUNT_MASK = 0xFFFF_FFFFL;
  private static final VarHandle WORD =
      Fields.handle(MethodHandles.lookup(), ScopeEpochCounter.class, "word", long.class);

  /** The epoch's number above, the count below. */
  private volatile long word;

  /** Returns a word for {@link #count} and {@link #advance}. */
  long read() {
    return word;
  }

  /** Returns the count in an epoch, by a word that was read. */
  static int count(long word, int epoch) {
    return (int) (word >>> Integer.SIZE) == epoch ? (int) (word & COUNT_MASK) : 0;
  }

  /** Returns the count in an epoch. */
  int count(int epoch) {
    return count(word, epoch);
  }

  /** Sets the count of an epoch, if no thread has since the word was read. */
  boolean advance(long read, int epoch, int count) {
    return WORD.compareAndSet(this, read, (long) epoch << Integer.SIZE | count);
  }

  /**
   * Counts one more in an epoch.
   *
   * @return the count before; {@code limit} if that was reached, and nothing was counted
   */
  int next(int epoch, int limit) {
    while (true) {
      long read = read();
      int count = count(read, epoch);
      if (count == limit || advance(read, epoch, count + 1)) {
        return count;
      }
    }
  }

  /**
   * Counts one less in an epoch, if no thread has counted since {@link #next} returned a count:
   * later units rely on this one.
   */
  void giveBack(int epoch, int count) {
    long read = read();
    if (count(read, epoch) == count + 1) {
      advance(read, epoch, count);
    }
  }
}
