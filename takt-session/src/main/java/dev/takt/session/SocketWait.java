package dev.takt.session;

import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread waits for one direction of a {@link PolledConnection}. It is a superclass, so that
 * a connection is few objects: of ten thousand, each object is a miss of the cache.
 *
 * <p><b>Guarantees.</b> A {@link #signal} after the condition has become true ends the wait. An
 * interrupt ends that of a virtual thread, which stays interrupted, and of no other, as with the
 * JDK's sockets.
 *
 * <p><b>Thread rule.</b> One thread waits at a time; {@link #signal} is for any. <b>Memory.</b> 16
 * bytes, and 24 while somebody waits.
 */
abstract class SocketWait {
  /** Told before the condition is looked at; who makes it true looks at this after that. */
  private volatile @Nullable Suspension waiting;

  /** Returns whether the condition holds; it does so until the wait ends. */
  abstract boolean isOver();

  /**
   * Waits until the condition holds.
   *
   * @param durationNs how long at most, as of {@link Suspension#await}
   * @return whether it holds
   */
  final boolean await(long durationNs) throws InterruptedIOException {
    Suspension here = Suspension.current();
    boolean hasEnd = durationNs < Suspension.FOR_EVER_NS;
    long beginNs = hasEnd ? here.nanoTime() : 0;
    long leftNs = durationNs;
    boolean isInterrupted = false;
    waiting = here;
    try {
      while (!isOver()) {
        if (leftNs <= 0) {
          return false;
        }
        isInterrupted |= await(here, leftNs);
        if (hasEnd) {
          leftNs = durationNs - (here.nanoTime() - beginNs);
        }
      }
      return true;
    } finally {
      waiting = null;
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the thread was interrupted, and is to wait all the same. */
  private static boolean await(Suspension here, long durationNs) throws InterruptedIOException {
    try {
      here.await(durationNs);
      return false;
    } catch (InterruptedException cancelled) {
      if (!Thread.currentThread().isVirtual()) {
        return true;
      }
      Thread.currentThread().interrupt();
      InterruptedIOException ofWait = new InterruptedIOException("interrupted while it waits");
      ofWait.initCause(cancelled);
      throw ofWait;
    }
  }

  /** Lets who waits look at the condition. */
  final void signal() {
    Suspension there = waiting;
    if (there != null) {
      there.resume();
    }
  }
}
