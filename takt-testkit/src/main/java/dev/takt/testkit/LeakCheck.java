package dev.takt.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that fails a test which leaves threads behind:
 * {@code @ExtendWith(LeakCheck.class)}.
 *
 * <p>A thread that was there before the test may stay. One that the test started has a second to
 * end after the test, for a thread that was asked to stop may still be on its way out. Threads of
 * the JDK's common pools and of its virtual thread scheduler are no leak.
 *
 * <p><b>Thread rule:</b> tests of one class loader that run at the same time see each other's
 * threads; run them in turn.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final long GRACE_NS = Duration.ofSeconds(1).toNanos();

  /** Threads that the JDK and JUnit start by themselves and keep. */
  private static final List<String> NOT_OF_THE_TEST =
      List.of(
          "junit-",
          "ForkJoinPool",
          "VirtualThread",
          "CompletableFutureDelayScheduler",
          "process reaper",
          "Attach Listener",
          "Common-Cleaner",
          "Cleaner-");

  private Set<Thread> before = Set.of();

  /** For JUnit. */
  public LeakCheck() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    before = Set.copyOf(Thread.getAllStackTraces().keySet());
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    List<String> leaked = leaked(before, GRACE_NS);
    if (!leaked.isEmpty()) {
      throw new AssertionError(
          "the test left %s threads behind: %s; stop and join them before it ends"
              .formatted(leaked.size(), String.join("; ", leaked)));
    }
  }

  /**
   * Returns the platform threads that are alive but were not in {@code before}, each with the place
   * where it is.
   *
   * @param before the threads that may stay
   * @param graceNs how long to wait for each to end
   */
  public static List<String> leaked(Set<Thread> before, long graceNs) throws InterruptedException {
    List<String> leaked = new ArrayList<>();
    long end = System.nanoTime() + graceNs;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (before.contains(thread) || thread == Thread.currentThread() || isNotOfTheTest(thread)) {
        continue;
      }
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1_000_000, end - System.nanoTime()));
      if (thread.isAlive()) {
        StackTraceElement[] stack = thread.getStackTrace();
        leaked.add(
            "%s (%s%s)"
                .formatted(
                    thread.getName(),
                    thread.getState(),
                    stack.length > 0 ? " at " + stack[0] : ""));
      }
    }
    return leaked;
  }

  private static boolean isNotOfTheTest(Thread thread) {
    return NOT_OF_THE_TEST.stream().anyMatch(thread.getName()::startsWith);
  }
}
