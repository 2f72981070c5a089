package dev.takt.samples.fix;

import dev.takt.session.Suspension;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets one session at a time give numbers and write messages, so that they are written in the order
 * of their numbers.
 *
 * <p>It waits by {@link Suspension}, so it works for stepped sessions as well as for virtual
 * threads. <b>Thread rule:</b> two sessions, of which one waits at most; who has it releases it.
 */
final class SendTurn {
  private final AtomicBoolean taken = new AtomicBoolean();
  private final ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();

  /**
   * Takes the turn; waits for it.
   *
   * @return false if it was not free within that time, in nanoseconds
   */
  boolean take(long timeoutNs) throws InterruptedException {
    if (taken.compareAndSet(false, true)) {
      return true;
    }
    Suspension here = Suspension.current();
    long endNs = here.nanoTime() + timeoutNs;
    waiting.add(here);
    try {
      while (!taken.compareAndSet(false, true)) {
        long leftNs = endNs - here.nanoTime();
        if (leftNs <= 0) {
          return false;
        }
        here.await(leftNs);
      }
      return true;
    } finally {
      waiting.remove(here);
    }
  }

  /** Lets the next one take it. */
  void release() {
    taken.set(false);
    Suspension next = waiting.peek();
    if (next != null) {
      next.resume();
    }
  }
}
