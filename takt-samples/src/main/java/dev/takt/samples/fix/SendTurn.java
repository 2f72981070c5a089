package dev.takt.samples.fix;

import dev.takt.session.Suspension;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets one session at a time give numbers and write messages, so that they are written in the order
 * of their numbers.
 *
 * <p><b>Assumptions.</b> Two sessions use it, so one waits at most; who has taken it releases it.
 *
 * <p><b>Guarantees.</b> At most one has it. Who waits goes on when it is released, or when its time
 * is over; a session that comes in between may be first. It waits by {@link Suspension}, so also in
 * stepped sessions.
 *
 * <p><b>Thread rule:</b> these two sessions. <b>Memory:</b> two references and a flag; a place to
 * wait while one waits.
 */
final class SendTurn {
  private final AtomicBoolean taken = new AtomicBoolean();
  private final AtomicReference<Suspension> waiting = new AtomicReference<>();

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
    waiting.set(here); // before the next look: who releases it after that sees this
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
      waiting.compareAndSet(here, null); // the other one may wait already
    }
  }

  /** Lets the one that waits take it. */
  void release() {
    taken.set(false);
    Suspension next = waiting.get();
    if (next != null) {
      next.resume();
    }
  }
}
