package dev.takt.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Who waits until a condition holds that stays as it is once it does, such as the end of something.
 *
 * <p><b>Guarantees.</b> A wait returns true if the condition holds. It ends when the condition was
 * made true and {@link #signal} called, or when its time is over: who waits is known here before it
 * looks at the condition, so no signal is lost.
 *
 * <p><b>Progress.</b> With a lock, held to add or remove one that waits, and to resume all.
 *
 * <p><b>Thread rule.</b> Any thread and session. Who makes the condition true calls {@link #signal}
 * after that, and may hold a lock that the condition takes: a condition is looked at by who waits,
 * who holds nothing of this. <b>Memory.</b> A place in a list for each that waits.
 *
 * {@snippet :
 * if (!ended.await(() -> outcome != null, timeout)) {
 *   throw new TimeoutException();
 * }
 * }
 */
public final class Awaiters {
  private final List<Suspension> waiting = new ArrayList<>(1);

  /** Makes one for which nobody waits. */
  public Awaiters() {}

  /**
   * Waits; returns whether the condition holds.
   *
   * @param timeout how long at most; zero and less: it only looks
   * @throws InterruptedException if the session is cancelled, or the thread interrupted, while it
   *     waits
   */
  public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    if (condition.getAsBoolean()) {
      return true;
    }
    long timeoutNs = TimeUnit.NANOSECONDS.convert(timeout); // of a longer one, the most there is
    Suspension here = Suspension.current();
    long beginNs = here.nanoTime();
    synchronized (waiting) {
      waiting.add(here);
    }
    try {
      long leftNs = timeoutNs;
      while (!condition.getAsBoolean()) {
        if (leftNs <= 0) {
          return false;
        }
        here.await(leftNs);
        if (timeoutNs < Suspension.FOR_EVER_NS) {
          leftNs = timeoutNs - (here.nanoTime() - beginNs);
        }
      }
      return true;
    } finally {
      synchronized (waiting) {
        waiting.remove(here);
      }
    }
  }

  /** Lets all that wait look at the condition. */
  public void signal() {
    synchronized (waiting) {
      waiting.forEach(Suspension::resume);
    }
  }
}
