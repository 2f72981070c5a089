package dev.takt.rtsj.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What is due to one handler, and who may run it: the number of fires that it has not handled yet,
 * and its phase, in one word.
 *
 * <pre>
 *            fire                 claim (one fire fewer)
 *   IDLE ------------&gt; READY -------------------------&gt; RUNNING
 *    ^ \                 | ^                             | |
 *    |  \                | |  finish, more pending       | |
 *    |   \               | +-----------------------------+ |
 *    |    +--- close     +--- claim or close, none left    |
 *    |          |              |                           |
 *    |          v              |                           |
 *    |        ENDED &lt;----------+--- if closed              |
 *    +-------------------------+---------------------------+ finish, none left
 * </pre>
 *
 * <p><b>Guarantees.</b> (1) One thread at a time runs a handler: whose {@link #claim} came back
 * true, until its {@link #finish}. (2) Each fire that is not refused is claimed once, or taken by
 * {@link #getAndDecrement} or {@link #getAndClear}, or discarded. (3) Exactly one call reports each
 * step from IDLE to READY, and so calls for a thread, and exactly one reports the step to ENDED.
 * Lock-free: a call begins again only because another one has succeeded.
 *
 * <p><b>Thread rule.</b> {@link #finish} and {@link #unclaim} are for the thread whose claim came
 * back true; the rest is for any thread. Nothing allocates.
 */
final class PendingFires {
  /** What became of a change. */
  enum Outcome {
    /** It was counted or changed nothing; somebody else sees to what is due. */
    DONE,
    /** The handler has become ready: wake a thread for it. */
    READY,
    /** It is closed: the fire was not counted. */
    REFUSED,
    /** It is closed, nothing is pending and nobody runs it: it has ended just now. */
    ENDED
  }

  private static final long PHASE = 3;
  private static final long IDLE = 0;
  private static final long READY = 1;
  private static final long RUNNING = 2;
  private static final long ENDED = 3;
  private static final long CLOSED = 4;
  private static final int COUNT_SHIFT = 3;
  private static final long ONE = 1L << COUNT_SHIFT;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(PendingFires.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Phase, then {@link #CLOSED}, then the count. Changed through {@link #WORD}. */
  private volatile long word;

  /**
   * Adds one fire, unless it is closed.
   *
   * @return the word before: see {@link #outcomeOfFire} and {@link #countIn}
   */
  long fire() {
    while (true) {
      long seen = word;
      boolean idle = (seen & PHASE) == IDLE;
      if ((seen & CLOSED) != 0 || swap(seen, seen + ONE + (idle ? READY - IDLE : 0))) {
        return seen;
      }
    }
  }

  /** Returns what became of a fire: READY, REFUSED or DONE. */
  static Outcome outcomeOfFire(long wordBefore) {
    if ((wordBefore & CLOSED) != 0) {
      return Outcome.REFUSED;
    }
    return (wordBefore & PHASE) == IDLE ? Outcome.READY : Outcome.DONE;
  }

  /**
   * Returns whether it was ready already when a fire came. Whoever made it so may have been stopped
   * before it woke a thread.
   */
  static boolean wasReady(long wordBefore) {
    return (wordBefore & (PHASE | CLOSED)) == READY;
  }

  /** Returns how many fires were pending. */
  static long countIn(long word) {
    return word >>> COUNT_SHIFT;
  }

  /**
   * Takes one fire and the right to run the handler.
   *
   * @return READY: the caller runs the handler and then calls {@link #finish}; ENDED: nothing was
   *     left of a closed one; DONE: there is nothing to do, or somebody else does it
   */
  Outcome claim() {
    while (true) {
      long seen = word;
      if ((seen & PHASE) != READY) {
        return Outcome.DONE;
      }
      if (countIn(seen) > 0) {
        if (swap(seen, seen - ONE - READY + RUNNING)) {
          return Outcome.READY;
        }
      } else if (swap(seen, rested(seen))) {
        return (seen & CLOSED) != 0 ? Outcome.ENDED : Outcome.DONE;
      }
    }
  }

  /**
   * Gives the right to run the handler back.
   *
   * @return READY: more fires are pending; ENDED: none, and it is closed; DONE: none
   */
  Outcome finish() {
    while (true) {
      long seen = word;
      if (countIn(seen) > 0) {
        if (swap(seen, seen - RUNNING + READY)) {
          return Outcome.READY;
        }
      } else if (swap(seen, rested(seen))) {
        return (seen & CLOSED) != 0 ? Outcome.ENDED : Outcome.DONE;
      }
    }
  }

  /** Gives the right to run the handler back, and the fire that was claimed with it. */
  void unclaim() {
    long seen;
    do {
      seen = word;
    } while (!swap(seen, seen + ONE - RUNNING + READY));
  }

  /**
   * Refuses fires from now on. What is pending stays to be handled, or is discarded. If nothing is
   * left then and nobody runs the handler, it has ended: whoever closes it need not wait for a
   * thread to find that out.
   *
   * @return the word before: see {@link #outcomeOfClose} and {@link #countIn}
   */
  long close(boolean discard) {
    while (true) {
      long seen = word;
      long next = (discard ? seen & (ONE - 1) : seen) | CLOSED;
      if (swap(seen, outcomeOfClose(seen, discard) == Outcome.ENDED ? rested(next) : next)) {
        return seen;
      }
    }
  }

  /** Returns what became of a close: ENDED if nothing was left to do, otherwise DONE. */
  static Outcome outcomeOfClose(long wordBefore, boolean discard) {
    long phase = wordBefore & PHASE;
    boolean isEmpty = discard || countIn(wordBefore) == 0;
    return phase == IDLE || phase == READY && isEmpty ? Outcome.ENDED : Outcome.DONE;
  }

  /** Returns how many fires wait to be handled. */
  long count() {
    return countIn(word);
  }

  /** Takes one fire without handling it, if there is one; returns how many there were. */
  long getAndDecrement() {
    while (true) {
      long seen = word;
      long count = countIn(seen);
      if (count == 0 || swap(seen, seen - ONE)) {
        return count;
      }
    }
  }

  /** Takes all fires without handling them; returns how many there were. */
  long getAndClear() {
    while (true) {
      long seen = word;
      if (swap(seen, seen & (ONE - 1))) {
        return countIn(seen);
      }
    }
  }

  /** Returns whether somebody should claim it. */
  boolean isReady() {
    return (word & PHASE) == READY;
  }

  /** Returns whether it refuses fires. */
  boolean isClosed() {
    return (word & CLOSED) != 0;
  }

  /** Returns whether it is closed, nothing is pending and nobody runs it. */
  boolean isEnded() {
    return (word & PHASE) == ENDED;
  }

  /** The word with nobody to run the handler: idle, or ended if it is closed. */
  private static long rested(long word) {
    return (word & ~PHASE) | ((word & CLOSED) != 0 ? ENDED : IDLE);
  }

  private boolean swap(long seen, long next) {
    return WORD.compareAndSet(this, seen, next);
  }
}
