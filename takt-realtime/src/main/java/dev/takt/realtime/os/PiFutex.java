package dev.takt.realtime.os;

import java.lang.foreign.MemorySegment;

/**
 * A word by which threads exclude one another, with priority inheritance by the kernel: while a
 * thread waits, the owner runs with at least its priority.
 *
 * <p><b>The word</b> is 0 when free. Otherwise its low bits ({@link #TID_MASK}) are the number of
 * the owner ({@link OperatingSystem#threadId}) and {@link #WAITERS} says that threads wait in the
 * kernel. A thread may take a free word by itself, by a compare-and-set from 0 to its number, and
 * free one that no thread waits for, from its number to 0; the methods here are for when that
 * fails.
 *
 * <p><b>Safety.</b> At most one thread owns the word. <b>Progress.</b> The kernel hands the word to
 * the waiting thread of the highest priority. Threads without real-time priorities exclude one
 * another all the same.
 *
 * <p><b>A dead owner.</b> When a thread ends while it owns the word, the first of those that wait
 * gets it and the word has the bit {@link #OWNER_DIED}. If none waits, the word stays as it is and
 * {@link #lock} gives {@link Errno#ESRCH} from then on.
 *
 * <p><b>Thread rule.</b> Any platform thread. The owner is a thread of the operating system, so a
 * virtual thread must not use it.
 *
 * <p><b>Memory.</b> 128 bytes of native memory, freed some time after the object is unreachable. No
 * method allocates, but for the first call of a thread.
 */
public interface PiFutex {
  /** The bit of the word that is set while threads wait. */
  int WAITERS = 0x8000_0000;

  /** The bit of the word that the kernel sets when an owner has died. */
  int OWNER_DIED = 0x4000_0000;

  /** The bits of the word that are the owner's number. */
  int TID_MASK = 0x3FFF_FFFF;

  /** Returns the word: four bytes in the machine's order, on a cache line of its own. */
  MemorySegment word();

  /**
   * Takes the word, waiting for it if need be.
   *
   * @return {@link Errno#NONE}; {@link Errno#EDEADLK} if the caller owns it, or would wait in a
   *     circle of owners; {@link Errno#ESRCH} if the owner has ended; {@link Errno#EAGAIN} if it is
   *     just ending
   */
  Errno lock();

  /**
   * Takes the word, waiting for it until a time.
   *
   * @param deadlineNs a time of {@link System#nanoTime}
   * @return as {@link #lock}; {@link Errno#ETIMEDOUT} if the time has come, whatever else is wrong
   */
  Errno lockUntil(long deadlineNs);

  /**
   * Takes the word if it is free.
   *
   * @return as {@link #lock}; {@link Errno#EAGAIN} if another thread owns it
   */
  Errno tryLock();

  /**
   * Frees the word, or hands it to the first of those that wait.
   *
   * @return {@link Errno#NONE}; {@link Errno#EPERM} if the caller does not own it
   */
  Errno unlock();
}
