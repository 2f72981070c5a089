package dev.takt.bench.handover;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The two threads of a hand-over; the first mistake in either ends the measurement. */
final class HandoverThreads {
  private static final long LIMIT_MS = 60_000;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> mistake = new AtomicReference<>();

  void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    // A thread that waits for one that failed would spin for ever; it must not keep the process
    // alive.
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((_, e) -> mistake.compareAndSet(null, e));
    threads.add(thread);
    thread.start();
  }

  /** Waits until all have ended. */
  void join() throws InterruptedException {
    long limitNs = System.nanoTime() + LIMIT_MS * 1_000_000;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.join(10);
        if (mistake.get() != null || System.nanoTime() - limitNs > 0) {
          throw new IllegalStateException(
              thread.getName() + " has not ended within " + LIMIT_MS + " ms, or another failed",
              mistake.get());
        }
      }
    }
    if (mistake.get() != null) {
      throw new IllegalStateException("a thread of the hand-over failed", mistake.get());
    }
  }
}
