package dev.takt.rtsj.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts what is used in one life of a scope, and is at 0 again in the next one without anybody
 * having set it back: the count carries the life's number.
 *
 * <p><b>Assumption.</b> Who counts is inside the scope, so the life does not end meanwhile.
 *
 * <p><b>Guarantee.</b> Lock-free; each unit is given once in a life, but for those given back.
 *
 * <p><b>Thread rule.</b> Any thread. <b>Memory:</b> nothing is allocated.
 */
final class LifeCounter {
  private static final long COUNT_MASK = 0xFFFF_FFFFL;
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(LifeCounter.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The life's number above, the count below. */
  private volatile long word;

  /** Returns a word for {@link #count} and {@link #advance}. */
  long read() {
    return word;
  }

  /** Returns the count in a life, by a word that was read. */
  static int count(long word, int life) {
    return (int) (word >>> Integer.SIZE) == life ? (int) (word & COUNT_MASK) : 0;
  }

  /** Returns the count in a life. */
  int count(int life) {
    return count(word, life);
  }

  /** Sets the count of a life, if nobody has since the word was read. */
  boolean advance(long read, int life, int count) {
    return WORD.compareAndSet(this, read, (long) life << Integer.SIZE | count);
  }

  /**
   * Counts one more in a life.
   *
   * @return the count before; {@code limit} if that was reached, and nothing was counted
   */
  int next(int life, int limit) {
    while (true) {
      long read = read();
      int count = count(read, life);
      if (count == limit || advance(read, life, count + 1)) {
        return count;
      }
    }
  }

  /**
   * Counts one less in a life, if nobody has counted since {@link #next} returned a count: who
   * holds a later unit counts on this one.
   */
  void giveBack(int life, int count) {
    long read = read();
    if (count(read, life) == count + 1) {
      advance(read, life, count);
    }
  }
}
