package dev.takt.mutation;

import java.io.PrintStream;
import java.util.StringJoiner;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints for each method with tests how long it took and which places it reached, and what was
 * reached before it and after the one before: by the fields of its class, which are made before it
 * starts.
 */
final class ReachListener implements TestExecutionListener {
  private final int places;
  private final PrintStream answers;

  /** The method that runs, with all its cases; null between methods. */
  private String current;

  private boolean good;
  private long beganNs;

  ReachListener(int places, PrintStream answers) {
    this.places = places;
    this.answers = answers;
    Probe.exchange(places);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (current == null && test.getSource().orElse(null) instanceof MethodSource) {
      current = test.getUniqueId();
      good = true;
      beganNs = System.nanoTime();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    good &= result.getStatus() == Status.SUCCESSFUL;
    if (!test.getUniqueId().equals(current)) {
      return;
    }
    long ms = (System.nanoTime() - beganNs) / 1_000_000;
    boolean[] reached = Probe.exchange(places);
    StringJoiner ids = new StringJoiner(",");
    for (int i = 0; i < reached.length; i++) {
      if (reached[i]) {
        ids.add(Integer.toString(i));
      }
    }
    answers.println(
        String.join("\t", current, Long.toString(ms), Boolean.toString(good), "" + ids));
    current = null;
  }
}
