package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Errno;

/**
 * The word that shows whether a monitor is held, and the queue behind it.
 *
 * <p>It is 0 if the monitor is free; the holder's id if it is held and no thread waits, so that one
 * compare-and-set enters and one exits; and anything else if a thread waits or the holder died:
 * then {@link #lock} and {@link #unlock} have the say. The states and the codes are those of the
 * kernel's PI futexes.
 *
 * <p><b>Thread rule:</b> any thread. All accesses to the word are volatile.
 */
interface LockWord {
  /** In the word: its holder died with threads waiting, and the caller of lock is the heir. */
  int OWNER_DIED = 0x4000_0000;

  /** In the word: a thread waits, or did lately. */
  int WAITERS = 0x8000_0000;

  /** A deadline that never comes. */
  long NEVER_NS = Long.MAX_VALUE;

  /**
   * Returns what the word is while a thread holds it.
   *
   * @throws IllegalMonitorStateException if this thread cannot hold it
   */
  int idOf(MonitorThread thread);

  /** Returns the word. */
  int get();

  /** Sets the word, if it is as expected. */
  boolean compareAndSet(int expected, int value);

  /**
   * Returns whether a waiting thread is woken when the holder dies and when a circle of words
   * closes, so that no thread needs to look.
   */
  boolean tellsWaiters();

  /**
   * Waits until the caller holds it, at the longest until a time.
   *
   * @param deadlineNs by the monitor's clock; {@link #NEVER_NS}, only if it {@link #tellsWaiters}
   * @return NONE: it is held; ETIMEDOUT: the time has come; EDEADLK: the holder waits for the
   *     caller; ESRCH: the holder has died; EAGAIN, EINTR: call again
   */
  Errno lock(MonitorThread self, long deadlineNs);

  /**
   * Gives it to the next waiting thread, if there is one.
   *
   * @return NONE, or what went wrong; EAGAIN, EINTR: call again
   */
  Errno unlock(MonitorThread self);
}
