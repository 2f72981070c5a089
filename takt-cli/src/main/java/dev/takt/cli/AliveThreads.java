package dev.takt.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** Waits for what keeps a JVM alive. */
final class AliveThreads {
  private AliveThreads() {}

  /**
   * Waits until some threads have ended, and then all others that a JVM waits for before it ends:
   * those that are not daemons and not the caller.
   */
  static void awaitAll(Collection<? extends Thread> first) throws InterruptedException {
    for (Thread each : first) {
      each.join();
    }
    for (Optional<Thread> next = any(); next.isPresent(); next = any()) {
      next.get().join();
    }
  }

  /** By groups, because that does not stop all threads, as looking at their stacks does. */
  private static Optional<Thread> any() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] threads = new Thread[root.activeCount() + 16];
    int count = root.enumerate(threads, true);
    while (count == threads.length) { // some may be missing
      threads = new Thread[2 * threads.length];
      count = root.enumerate(threads, true);
    }
    return Arrays.stream(threads, 0, count)
        .filter(each -> !each.isDaemon() && each != Thread.currentThread())
        .filter(each -> !each.getName().equals("DestroyJavaVM"))
        .findFirst();
  }
}
