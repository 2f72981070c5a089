package dev.takt.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock whose holder may keep it while it polls, since it sees when another thread wants it.
 *
 * <p><b>Guarantees:</b> as a {@link ReentrantLock}. A thread that finds it taken is told of by
 * {@link #isWanted}, and looks for some microseconds before it sleeps: a holder that gives way at
 * once does not have to wake it.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class ExchangeLock {
  private static final int LOOKS = 256;

  /** So often its holders do not keep it after another thread has wanted it. */
  private static final int APART = 1 << 12;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger wanting = new AtomicInteger();

  /** How often it is not to be kept; of its holder. */
  private int apart;

  void lock() {
    if (!lock.tryLock()) {
      lockTaken();
    }
  }

  private void lockTaken() {
    wanting.incrementAndGet();
    try {
      for (int i = 0; i < LOOKS; i++) {
        if (lock.tryLock()) {
          apart = APART;
          return;
        }
        Thread.onSpinWait();
      }
      lock.lock();
      apart = APART;
    } finally {
      wanting.decrementAndGet();
    }
  }

  /** Takes the lock if nobody has it; the holder is not told that it is wanted. */
  boolean tryLock() {
    return lock.tryLock();
  }

  void unlock() {
    lock.unlock();
  }

  /**
   * Returns whether the holder may keep it while it polls: not while several threads ask, of which
   * one that the system does not let run would keep it for as long.
   */
  boolean mayKeep() {
    if (apart > 0) {
      apart--;
      return false;
    }
    return true;
  }

  /** Returns whether a thread is in {@link #lock}, and has not got it. */
  boolean isWanted() {
    return wanting.get() > 0;
  }
}
