package dev.takt.testsupport;

import dev.takt.realtime.OperatingSystems;


import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the test classes that it is given; {@link Unprivileged} starts it in a JVM of its own. */
public final class TestRunner {
  /** Shorter than who started this JVM waits for it. */
  private static final int TIMEOUT_SECONDS = 240;

  private static final int TIMED_OUT = 2;

  private TestRunner() {}

  /**
   * Prints who runs them and what failed; ends with 0 if at least one test ran and all passed. If
   * they do not end in time, prints which test has not ended and what each thread does.
   */
  public static void main(String[] testClasses) {
    System.out.println(
        "user="
            + System.getProperty("user.name")
            + " native="
            + OperatingSystems.current().isNative());
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(testClasses).map(each -> selectClass(each)).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Watch watch = new Watch();
    Thread.ofPlatform().name("test-runner").daemon().start(watch);
    LauncherFactory.create().execute(request, listener, watch);
    watch.ended.countDown();
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true), 30);
    System.out.println(summary.getTestsSucceededCount() + " tests passed");
    boolean good = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
    System.exit(good ? 0 : 1);
  }

  /** Knows what runs, and tells it when that takes too long. */
  private static final class Watch implements TestExecutionListener, Runnable {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<String> running = ConcurrentHashMap.newKeySet();

    @Override
    public void executionStarted(TestIdentifier test) {
      running.add(test.getUniqueId());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      running.remove(test.getUniqueId());
    }

    @Override
    public void run() {
      try {
        if (ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      System.out.println("not ended after " + TIMEOUT_SECONDS + " s: " + running);
      Thread.getAllStackTraces()
          .forEach(
              (thread, frames) -> {
                System.out.println(thread + " " + thread.getState());
                Arrays.stream(frames).limit(30).forEach(each -> System.out.println("  at " + each));
              });
      System.out.flush();
      Runtime.getRuntime().halt(TIMED_OUT);
    }
  }
}
