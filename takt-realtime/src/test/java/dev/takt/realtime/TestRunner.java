package dev.takt.realtime;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.takt.realtime.os.OperatingSystem;
import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the test classes that it is given; {@link Unprivileged} starts it in a JVM of its own. */
public final class TestRunner {
  private TestRunner() {}

  /** Prints who runs them and what failed; ends with 0 if at least one test ran and all passed. */
  public static void main(String[] testClasses) {
    System.out.println(
        "user="
            + System.getProperty("user.name")
            + " native="
            + OperatingSystem.current().isNative());
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(testClasses).map(each -> selectClass(each)).toList())
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true), 30);
    System.out.println(summary.getTestsSucceededCount() + " tests passed");
    boolean good = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
    System.exit(good ? 0 : 1);
  }
}
