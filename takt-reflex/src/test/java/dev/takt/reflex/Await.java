package dev.takt.reflex;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Waits for what other threads do, and fails with a message when it does not happen. */
final class Await {
  private static final long LIMIT_NS = 30_000_000_000L;

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

  /** The threads of all runtimes that are alive; not the one that copies their counters. */
  static Set<String> runtimeThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("takt-") && !name.equals("takt-counters"))
        .collect(Collectors.toSet());
  }
}
