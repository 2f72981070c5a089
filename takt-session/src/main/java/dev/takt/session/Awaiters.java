package dev.takt.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Who waits until a condition holds that stays as it is once it does.
 *
 * <p><b>Thread rule.</b> Any thread. Who makes the condition true calls {@link #signal} after that.
 */
final class Awaiters {
  private final List<Suspension> waiting = new ArrayList<>(1);

  /** Waits; returns whether the condition holds. */
  boolean await(BooleanSupplier condition, long timeoutNs) throws InterruptedException {
    if (condition.getAsBoolean()) {
      return true;
    }
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
        leftNs = timeoutNs - (here.nanoTime() - beginNs);
      }
      return true;
    } finally {
      synchronized (waiting) {
        waiting.remove(here);
      }
    }
  }

  void signal() {
    synchronized (waiting) {
      waiting.forEach(Suspension::resume);
    }
  }
}
