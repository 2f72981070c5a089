package dev.takt.reflex;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Waits for what other threads do, and fails with a message when it does not happen. */
final class Await {
  private static final long LIMIT_NS = 30_000_000_000L;

  /**
   * The thread that copies counters, and the one that makes the operating system while the first
   * runtime is set up: a test that is over at once ends before it.
   */
  private static final Set<String> OF_PROCESS = Set.of("takt-counters", "takt-system");

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long beginNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - beginNs > LIMIT_NS) {
        throw new AssertionError("did not happen within 30 s: " + what);
      }
      Thread.yield();
    }
  }

  /** Returns the names of the threads of all runtimes that are alive; not of the process's own. */
  static Set<String> runtimeThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("takt-") && !OF_PROCESS.contains(name))
        .collect(Collectors.toSet());
  }
}
